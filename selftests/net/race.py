# SPDX-License-Identifier: GPL-2.0
# pgx: noload
# pgx: slow
# pgx: timeout 200
"""Everybody at once: settings, entries, starts, stops, names, links, namespaces, CPUs, queues, readers, and the module
itself, in all doors. What a worker does follows from the seed, the epoch and its number. After each epoch all is quiet, and
then every packet that an entry counts is one that its device counts. PGX_SEED gives the seed, PGX_SECONDS the time."""
import collections
import contextlib
import errno
import fcntl
import os
import random
import re
import signal
import struct
import subprocess
import time
from netlink import Links
from pgx import (DELETE_MODULE, PG, SLOW, coming_home, enter, equal, finish, insert, libc, number, ok, put, rx_packets, sh,
                 start, tell, tx_packets, unshare, value, write)

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 2, 0x1000	# if_tun.h
O_NONBLOCK = 0o4000
EPOCH = 10	# seconds that the workers have, before others look

THREADS = ["kpktgend_0", "kpktgend_1"]
DEVICES = ["d0", "v0", "v1", "d0v", "m0", "i0", "br0", "p0", "t0", "lo"]
ENTRIES = DEVICES + ["d0@1", "d0@2", "v0@1", "br0@1", "e0", "nosuch", "another"]
# what the documentation names, and what the absence of a file brings: EIO is procfs's where it goes while it is open
ALLOWED = set("OK EIO EINVAL EBUSY ENODEV EEXIST EOPNOTSUPP ERANGE E2BIG ENOENT ENETDOWN ENOMEM".split())


def table():
    """Names of all parameters and flags, from the module's own table, so that a new one is here too."""
    with open(os.path.join(os.environ["PGX_TOP"], "control/param.c")) as file:
        text = file.read()
    flags = re.search(r"pgx_flag_names\[\][^{]*\{(.*?)\};", text, re.S).group(1)
    return re.findall(r'^\t\{ "(\w+)", ', text, re.M), re.findall(r'"(\w+)"', flags)


PARAMS, FLAGS = table()
TEXTS = {
    "xmit_mode": ["start_xmit", "netif_receive", "queue_xmit"],
    "imix_weights": ["64,1 576,2", "none", "60,7 61,1 1500,1"],
    "dst": ["198.18.0.9", "10.0.0.1"], "src_mac": ["02:00:00:00:00:05"], "dst_mac": ["02:00:00:00:00:06"],
    "mpls": ["100,1ff", "0", "00000fff"], "tos": ["00", "b8"], "traffic_class": ["00", "b8"],
    "node": ["0", "-1", "77"], "svlan_tpid": ["0x8100", "0x88a8"], "clear_counters": [""],
    "duration": ["0", "5ms", "1s"], "delay": ["0", "10us", "1ms"],
    "rate": ["10", "1G"], "ratep": ["1000", "1M"], "flows": ["0", "3", "1000"], "frags": ["0", "1", "4"],
    "burst": ["1", "2", "8", "64"], "clone_skb": ["0", "1", "9"], "count": ["0", "1", "100", "100000"],
    "pkt_size": ["60", "300", "1400"], "min_pkt_size": ["60", "200"], "max_pkt_size": ["200", "1500"]}


def setting(rng):
    name = rng.choice(PARAMS)
    if name == "flag":
        return "flag %s%s" % (rng.choice(["", "!"]), rng.choice(FLAGS))
    if name.startswith(("dst6", "src6")):
        return "%s 2001:db8::%x" % (name, rng.randrange(1, 4))
    if name.startswith(("dst_", "src_")) and name[4:] in ("min", "max"):
        return "%s 198.18.0.%d" % (name, rng.randrange(1, 4))
    return "%s %s" % (name, rng.choice(TEXTS.get(name) or ["0", "1", "7", "100", "4095", "9999999999", "junk"]))


class Worker:
    """A process that does one thing after the other until time is over; counts, and answers that nobody may get."""

    def __init__(self, seed, step, seconds):
        self.rng = random.Random(seed)
        self.name = step.__name__
        self.seconds = seconds
        out, self.out = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(self.out)
            self.result = os.fdopen(out)
            return
        os.close(out)
        self.rounds, self.odd = 0, {}
        self.held = []
        self.links = Links()
        try:
            self.work(step, time.monotonic() + seconds)
        except BaseException as e:  # told in words, whatever it is
            self.odd[repr(e)] = "worker"
        os.write(self.out, ("%d %s" % (self.rounds, self.odd or "")).encode())
        os._exit(0)

    def work(self, step, end):
        while time.monotonic() < end:
            step(self)
            self.rounds += 1

    def say(self, name, text):
        answer = write(name, text)
        if answer not in ALLOWED:
            self.odd[answer] = (name, text)
        return answer

    def pause(self, most):
        time.sleep(self.rng.random() * most)

    def join(self, end):
        """Its rounds, and what was odd. A start that waits is ended by a stop, so that is written until it is seen."""
        while time.monotonic() < end:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                rounds, _, odd = self.result.read().partition(" ")
                self.result.close()
                return int(rounds or 0), odd if rounds else "no result"
            write("pgctrl", "stop")
            time.sleep(0.05)
        return 0, "hangs: " + sh("cat /proc/%d/stack" % self.pid, check=False)


def configure(self):
    self.say(self.rng.choice(ENTRIES), setting(self.rng))


def live(self):
    entry, thread = self.rng.choice(ENTRIES), self.rng.choice(THREADS)
    self.say(thread, self.rng.choice(["add_device " + entry] * 8 + ["rem_device " + entry] * 2 + ["rem_device_all"]))


def starter(self):
    self.say("pgctrl", "start")
    self.pause(0.01)


def steer(self):
    """Stops and resets, and one of its own starts, ended by a signal."""
    how = self.rng.randrange(8)
    self.pause(0.1)
    if how < 4:
        self.say("pgctrl", "stop")
        return
    if how < 5:
        self.say("pgctrl", "reset")
        return
    child = os.fork()
    if not child:
        write("pgctrl", "start")
        os._exit(0)
    self.pause(0.05)
    os.kill(child, self.rng.choice([signal.SIGTERM, signal.SIGKILL, signal.SIGINT]))
    os.waitpid(child, 0)


def topology(links):
    """What is there already stays."""
    links.dummy("d0")
    links.vlan("d0v", "d0", 5)
    links.veth("v0", "v1", 4)
    links.macvlan("m0", "v0")
    links.create("i0", "ifb")
    links.create("br0", "bridge")
    links.dummy("p0")
    for port in "v1", "p0":
        links.master(port, "br0")
    links.up("lo", "d0", "d0v", "v0", "v1", "m0", "i0", "br0", "p0")


def rename(links):
    """As often by a name that an entry may have as by one that it can not have."""
    links.down("d0")
    for old, new in ("d0", "e0"), ("e0", "kpktgend_0"), ("kpktgend_0", "d0"), ("e0", "d0"):
        links.rename(old, new)
    links.up("d0")


def altname(links):
    links.altname("d0", "another", True)
    links.altname("d0", "another", False)


def flap(name):
    def once(links):
        links.down(name)
        links.up(name)
    return once


def anew(name):
    def once(links):
        links.delete(name)
        topology(links)
    return once


def smaller(links):
    links.mtu("d0", 700)
    links.mtu("d0", 1500)


def bridged(links):
    links.master("v1", None)
    links.master("v1", "br0")


CHANGES = [rename, altname, smaller, bridged] + [flap(n) for n in ("d0", "v1", "br0", "m0")] + [
    anew(n) for n in ("d0", "v0", "i0", "m0", "d0v", "br0")]


def links(self):
    self.rng.choice(CHANGES)(self.links)


def in_namespace(self):
    """A device moves to a new namespace, is sent by it and ends with it, together with one that was made there."""
    with coming_home():
        unshare()
        there = os.open("/proc/self/ns/net", os.O_RDONLY)
        links = Links()
        links.dummy("n0")
    if self.rng.randrange(2):
        self.links.move("d0", there)
        topology(self.links)
    enter(there)
    links.up("n0", "d0")
    files = "/proc/thread-self/net/pktgen_ext/"
    for thread in THREADS:
        tell(files + thread, "add_device n0@%s\nadd_device d0@%s" % (thread, thread))
        for dev in "n0", "d0":
            tell(files + "%s@%s" % (dev, thread), "burst 1\ncount 0\nxmit_mode %s" % self.rng.choice(TEXTS["xmit_mode"]))
    if not os.fork():
        tell(files + "pgctrl", "start")
        os._exit(0)
    time.sleep(self.rng.random() * 0.05)
    os.killpg(0, signal.SIGKILL)


def namespaces(self):
    pid = os.fork()
    if not pid:
        try:
            os.setpgid(0, 0)
            in_namespace(self)
        finally:
            os._exit(1)
    self.rng.random()
    os.waitpid(pid, 0)


def cpus(self):
    for state in "0", "1":
        try:
            with open("/sys/devices/system/cpu/cpu1/online", "w") as file:
                file.write(state)
        except OSError as e:
            if e.errno != errno.EBUSY:
                self.odd[str(e)] = "cpu1"
        self.pause(1)


def tap(self):
    """A device whose carrier and life are a descriptor's."""
    fd = os.open("/dev/net/tun", os.O_RDWR | O_NONBLOCK)
    with contextlib.suppress(OSError):
        fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", b"t0", IFF_TAP | IFF_NO_PI))
        self.links.up("t0")
        self.say("kpktgend_%d" % self.rng.randrange(2), "add_device t0")
        for _ in range(self.rng.randrange(100)):
            with contextlib.suppress(BlockingIOError):
                os.read(fd, 2000)
        self.pause(0.1)
    os.close(fd)


def simulated(self):
    """A device of netdevsim, where the kernel has it, comes with two queues and goes."""
    bus = "/sys/bus/netdevsim/"
    tell(bus + "new_device", "7 1 2")
    with contextlib.suppress(OSError):
        for name in os.listdir(bus + "devices/netdevsim7/net"):
            self.links.up(name)
            self.say(self.rng.choice(THREADS), "add_device " + name)
            self.say(name, "count 0")
    self.pause(0.2)
    tell(bus + "del_device", "7")


def queues(self):
    subprocess.run(["ethtool", "-L", "v0", "tx", str(self.rng.randrange(1, 5)), "rx", "4"], stderr=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    self.pause(0.2)


def whole(self, fd):
    """A listing shows one moment: the number of the next packet is one more than the packets."""
    text = os.pread(fd, 65536, 0).decode()
    found = re.search(r"pkts-sofar: (\d+).*seq_num: (-?\d+)", text, re.S)
    if found and (int(found.group(1)) + 1 - int(found.group(2))) % (1 << 32):
        self.odd["torn"] = text
    if text and not text.endswith("\n"):
        self.odd["cut"] = text


def reader(self):
    """Odd lengths and places, and files that stay open, for reading and for writing, when what they show has gone."""
    with contextlib.suppress(OSError):
        self.held.append(os.open(PG + self.rng.choice(ENTRIES + THREADS + ["pgctrl"]), os.O_RDWR))
    for fd in self.held:
        try:
            os.pread(fd, self.rng.choice([1, 17, 600, 65536]), self.rng.choice([0, 0, 1, 999, 70000]))
            whole(self, fd)
            os.write(fd, b"count 77")
        except OSError as e:
            if errno.errorcode[e.errno] not in ALLOWED:
                self.odd[str(e)] = "a file that stays open"
    if len(self.held) > 6:
        os.close(self.held.pop(self.rng.randrange(len(self.held))))


def module(self):
    """It can go while nothing runs; what it does not let go of would keep it."""
    self.say("pgctrl", "stop")
    if not libc.syscall(DELETE_MODULE, b"pktgen_ext", O_NONBLOCK):
        insert()
    self.pause(0.1)


SETS = {"entries": [configure, configure, live, live, starter, steer, links, namespaces, cpus, reader],
        "devices": [configure, live, live, starter, steer, links, links, tap, simulated, queues, namespaces, reader],
        "module": [configure, live, starter, links, namespaces, reader, module]}


def bring_back():
    """Whatever the workers left: both CPUs, the module, all devices under their names."""
    with open("/sys/devices/system/cpu/cpu1/online", "r+") as file:
        if file.read().strip() == "0":
            file.write("1")
    if not os.path.exists(PG):
        insert()
    equal("stop", write("pgctrl", "stop"), "OK")
    equal("reset", write("pgctrl", "reset"), "OK")


def gone(links, name):
    began = time.monotonic()
    links.delete(name)
    return time.monotonic() - began


def leave_devices(links):
    names = [name for name in ("d0", "v0", "i0", "br0", "p0", "e0", "kpktgend_0", "t0", "m0") if os.path.exists(
        "/sys/class/net/" + name)]
    times = {name: round(gone(links, name), 2) for name in names}
    ok("every device goes in less than 2 s", max(times.values()) < 2 * SLOW, times)


def counted(dev, door, counter):
    """What the entry says it has sent, and what is counted at the device."""
    put("kpktgend_1", "rem_device_all\nadd_device " + dev)
    put(dev, "count 300\nburst %d\nxmit_mode %s" % (7 if dev == "d0" and door == "start_xmit" else 1, door))
    before = counter()
    answer = start()
    return answer, int(value(dev, "pkts-sofar:")), counter() - before


def quiet(links):
    """All devices new. Everything is counted to the packet."""
    leave_devices(links)
    topology(links)
    for door in "start_xmit", "queue_xmit":
        equal("d0, %s: exact" % door, counted("d0", door, lambda: tx_packets("d0")), ("OK", 300, 300))
    # half of what is received is counted nowhere; an skb without a taker is counted as an error
    equal("d0, netif_receive: exact", counted("d0", "netif_receive", lambda: 0)[:2], ("OK", 300))
    equal("and IP dropped each", value("d0", "errors:"), "300")
    links.master("v1", None)
    equal("v0 to v1: exact", counted("v0", "start_xmit", lambda: rx_packets("v1")), ("OK", 300, 300))
    equal("no entry is left", (write("pgctrl", "reset"), sorted(os.listdir(PG))), ("OK", sorted(THREADS + ["pgctrl"])))


def epoch(links, name, seed, seconds, totals):
    topology(links)
    workers = [Worker(seed * 64 + i, step, seconds) for i, step in enumerate(SETS[name])]
    time.sleep(seconds)
    end = time.monotonic() + 40 * SLOW
    odd = []
    for worker in workers:
        rounds, what = worker.join(end)
        totals[worker.name] += rounds
        if what:
            odd.append((worker.name, what))
    bring_back()
    equal("%s, seed %d: no worker hangs, none gets or sees what is not documented" % (name, seed), odd, [])


def race(seconds, seed):
    links = Links()
    totals = collections.Counter()
    began = time.monotonic()
    names = list(SETS)
    for i in range(max(len(names), int(seconds / EPOCH))):
        epoch(links, names[i % len(names)], seed + i, min(EPOCH, seconds / len(names)), totals)
        quiet(links)
        if time.monotonic() - began > 1.5 * seconds + 10 * SLOW and i >= len(names) - 1:
            break
    print("# %d rounds in %d epochs, %.0f s: %s" % (sum(totals.values()), i + 1, time.monotonic() - began, ", ".join(
        "%s %d" % item for item in sorted(totals.items()))))
    wanted = {step.__name__ for steps in SETS.values() for step in steps}
    ok("every worker came to do something", all(totals[name] for name in wanted), totals)
    leave_devices(links)
    write("pgctrl", "reset")


def leave_module():
    equal("no user is left", number("/sys/module/pktgen_ext/refcnt"), 0)
    sh("rmmod pktgen_ext")
    ok("the folder goes", not os.path.exists(PG))
    equal("no thread is left", sh("pgrep kpktgend", check=False), "")


def main(seconds):
    seed = int(os.environ.get("PGX_SEED") or random.SystemRandom().randrange(1 << 32))
    seconds = float(os.environ.get("PGX_SECONDS") or seconds)
    print("# PGX_SEED=%d PGX_SECONDS=%g" % (seed, seconds), flush=True)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # for a starter that gets one
    sh("modprobe -a dummy veth 8021q macvlan ifb bridge tun", check=False)
    sh("modprobe -q netdevsim", check=False)
    ipv6 = "/proc/sys/net/ipv6/conf/default/disable_ipv6"
    before = number(ipv6)
    tell(ipv6, "1")  # its chatter would be counted
    insert()
    race(seconds, seed)
    leave_module()
    tell(ipv6, str(before))
    finish()


if __name__ == "__main__":
    main(15)
