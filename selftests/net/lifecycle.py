# SPDX-License-Identifier: GPL-2.0
# pgx: timeout 240
# Runs end well whatever happens to their device, their namespace, their writer or the module.
import os
import signal
import subprocess
import threading
import time
from pgx import (PG, SLOW, add_dummy, equal, finish, ok, put, read, result, sh, start, value, wait_until, write)


def running(thread="kpktgend_0"):
    return read(thread).splitlines()[0] != "Running: "


class Start:
    """A writer of "start" in a process of its own."""

    def __init__(self, thread="kpktgend_0"):
        self.process = subprocess.Popen(["sh", "-c", "exec sh -c 'echo start > %spgctrl'" % PG])
        self.began = wait_until(5, lambda: running(thread))

    def ended(self, seconds=3):
        try:
            self.process.wait(seconds * SLOW)
            return True
        except subprocess.TimeoutExpired:
            self.process.kill()
            return False


def endless(name="d0", thread="kpktgend_0", *lines):
    put(thread, "add_device " + name)
    put(name, "count 0", "xmit_mode netif_receive", "burst 32", *lines)


def ends(description, action, after=lambda: True, name="d0"):
    """An endless run on a fresh device ends within its time when something happens."""
    if not os.path.exists("/sys/class/net/" + name):
        add_dummy(name)
    write("kpktgend_0", "rem_device_all")
    endless(name)
    writer = Start()
    ok(description + ": it ran", writer.began, read("kpktgend_0"))
    began = time.monotonic()
    action()
    took = time.monotonic() - began
    ok(description + ": in less than 2 s", took < 2 * SLOW, took)
    ok(description + ": start returns", writer.ended())
    ok(description + ": and all is well", after(), sh("ls " + PG))


add_dummy("d0")
ends("stop", lambda: write("pgctrl", "stop"), lambda: result("d0").startswith("OK: ") and not running())
ends("reset", lambda: write("pgctrl", "reset"), lambda: not os.path.exists(PG + "d0"))
ends("rem_device_all", lambda: write("kpktgend_0", "rem_device_all"), lambda: not os.path.exists(PG + "d0"))
ends("rem_device", lambda: write("kpktgend_0", "rem_device d0"), lambda: not os.path.exists(PG + "d0"))
ends("link down", lambda: sh("ip link set d0 down"), lambda: result("d0").startswith("OK: "))
sh("ip link set d0 up")
ends("device delete", lambda: sh("ip link del d0"), lambda: not os.path.exists(PG + "d0"))
sh("ip netns add away")
ends("device to another namespace", lambda: sh("ip link set d0 netns away"),
     lambda: not os.path.exists(PG + "d0"))
sh("ip netns del away")
equal("rmmod during a run is refused", [endless("lo"), Start().began, sh("rmmod pktgen_ext 2>&1; true").count("in use")],
      [None, True, 1])
write("pgctrl", "stop")
wait_until(3, lambda: not running())
write("pgctrl", "reset")

add_dummy("n0")
endless("n0", "kpktgend_0", "delay 2147483647")
writer = Start()
sh("ip link set n0 down")
ok("link down ends a run that never sends", writer.ended(2) and ",-1frags)" in result("n0"), result("n0"))
sh("ip link del n0")

# C62: a signal to the writer
for number in signal.SIGINT, signal.SIGTERM, signal.SIGKILL:
    add_dummy("s0")
    endless("s0")
    writer = Start()
    sofar = int(value("s0", "pkts-sofar:"))
    writer.process.send_signal(number)
    ok("C62: %s ends the writer" % number.name, writer.ended(1))
    ok("C62: the run has ended and its result is there", not running() and result("s0").startswith("OK: ")
       and int(value("s0", "pkts-sofar:")) >= sofar, result("s0"))
    sh("ip link del s0")

# Rename, and alternative names
add_dummy("r0")
put("kpktgend_0", "add_device r0@0", "add_device r0")
put("kpktgend_1", "add_device r0@1")
sh("ip link property add dev r0 altname alternative")
equal("add by altname", write("kpktgend_1", "add_device alternative@2"), "OK")
put("alternative@2", "count 10")
sh("ip link set r0 down; ip link set r0 name r1; ip link set r1 up")
equal("files follow a rename, tags stay", sorted(f for f in os.listdir(PG) if f[0] in "ra"),
      ["alternative@2", "r1", "r1@0", "r1@1"])
ok("ifname follows", "ifname: r1@0" in read("r1@0"))
put("r1@0", "count 20")
equal("and all of them run", (start(), value("r1@0", "pkts-sofar:"), value("alternative@2", "pkts-sofar:")),
      ("OK", "20", "10"))
sh("ip link del r1")
equal("all go with their device", [f for f in os.listdir(PG) if f[0] in "ra"], [])

# Twenty entries of one device go at once. The best of three tries: the machine may be busy with other things.
times = []
for _ in range(3):
    add_dummy("m0")
    put("kpktgend_0", *["add_device m0@%d" % i for i in range(20)])
    began = time.monotonic()
    sh("ip link del m0")
    times.append(time.monotonic() - began)
    equal("no file stays", [f for f in os.listdir(PG) if f[0] == "m"], [])
ok("20 entries go with their device in less than 2 s", min(times) < 2 * SLOW, times)

def others():
    """Seconds that it takes to make and remove another device, and to have an answer of another thread."""
    began = time.monotonic()
    sh("ip link add x type dummy; ip link del x")
    equal("C03: another thread answers", write("kpktgend_1", "rem_device_all"), "OK")
    return time.monotonic() - began


# C03: other devices come and go during a run, other threads answer
add_dummy("d0")
endless("d0")
idle = others()
writer = Start()
busy = others()
ok("C03: in less than a second more than without a run", busy - idle < SLOW, (busy, idle))
equal("a second start is refused", start(), "EBUSY")
ok("which leaves the run alone", running() and int(value("d0", "pkts-sofar:")) > 0)

# C66: counters can be read during a run and only grow; the usual way to tear down works
seen = [int(value("d0", "pkts-sofar:")) for _ in range(20)]
ok("C66: pkts-sofar only grows", seen == sorted(seen) and seen[0] < seen[-1], seen)
equal("settings change during a run", (write("d0", "burst 8"), write("d0", "udp_src_max 100")), ("OK", "OK"))
writer.process.kill()
equal("C66: rem_device_all at once", write("kpktgend_0", "rem_device_all"), "OK")
equal("C66: then reset", write("pgctrl", "reset"), "OK")
ok("C66: the writer is gone", writer.ended(1))

# C19: SHARED, burst and clone_skb flip under a run, from two writers
for door in "start_xmit", "netif_receive", "queue_xmit":
    put("kpktgend_0", "rem_device_all", "add_device d0")
    put("d0", "count 0", "xmit_mode " + door)
    writer = Start()

    def flip():
        for _ in range(60 // SLOW):
            for line in "flag !SHARED", "flag SHARED", "burst 8", "burst 1", "clone_skb 1", "clone_skb 0":
                write("d0", line)

    flippers = [threading.Thread(target=flip) for _ in range(2)]
    for thread in flippers:
        thread.start()
    for thread in flippers:
        thread.join()
    ok("C19: %s goes on" % door, running())
    write("pgctrl", "stop")
    ok("C19: %s ends" % door, writer.ended())

# Two writers at once, and entries that come and go meanwhile
put("kpktgend_0", "rem_device_all")


def churn(cpu):
    for _ in range(30 // SLOW):
        write("kpktgend_%d" % cpu, "add_device d0@%d" % cpu)
        write("d0@%d" % cpu, "count 50")
        write("pgctrl", "start")
        write("kpktgend_%d" % cpu, "rem_device_all")


churners = [threading.Thread(target=churn, args=(cpu,)) for cpu in (0, 1)]
for thread in churners:
    thread.start()
for thread in churners:
    thread.join()
equal("nothing is left of two writers' work", sorted(f for f in os.listdir(PG) if f[0] == "d"), [])

# Down at start, and a queue or qdisc that keeps the last packet
put("kpktgend_0", "add_device d0")
put("d0", "count 5")
sh("ip link set d0 down")
equal("start with the link down", (start(), " 0 (" in result("d0"), ",-1frags)" in result("d0"), " 0pps" in result("d0")),
      ("OK", True, True, True))
sh("ip link set d0 up; modprobe sch_netem; tc qdisc add dev d0 root netem delay 60s")
put("d0", "count 10", "xmit_mode queue_xmit")
began = time.monotonic()
equal("C13: packets that a qdisc keeps for a minute do not keep the run", (start(), value("d0", "pkts-sofar:")),
      ("OK", "10"))
ok("C13: nor its end", time.monotonic() - began < 2 * SLOW)
sh("ip link del d0")
finish()
