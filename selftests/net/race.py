# SPDX-License-Identifier: GPL-2.0
# pgx: noload
# pgx: slow
# pgx: timeout 240
"""Everybody at once, for a bounded time: settings, entries, starts, stops, names, links, namespaces, CPUs, readers, and
the module itself, in all doors. What a worker does follows from the seed and its number; PGX_SEED gives the seed,
PGX_SECONDS the time of each of the two parts."""
import ctypes
import errno
import os
import random
import re
import signal
import subprocess
import time
from pgx import PG, SLOW, add_dummy, equal, finish, later, ok, put, sh, start, tx_packets, value, write

SEED = int(os.environ.get("PGX_SEED") or random.SystemRandom().randrange(1 << 32))
SECONDS = float(os.environ.get("PGX_SECONDS") or 8)
CLONE_NEWNET = 0x40000000
THREADS = ["kpktgend_0", "kpktgend_1"]
DEVICES = ["d0", "v0", "d0v", "m0", "i0"]
ENTRIES = DEVICES + ["d0@1", "v0@1", "d0@2"]
# what the documentation names, and what the absence of a file brings: EIO is procfs's where it goes while it is open
ALLOWED = set("OK EIO EINVAL EBUSY ENODEV EEXIST EOPNOTSUPP ERANGE E2BIG ENOENT ENETDOWN ENOMEM".split())


def table():
    """Names of all parameters and flags, from the module's own table, so that a new one is here too."""
    text = open(os.path.join(os.environ["PGX_TOP"], "control/param.c")).read()
    names = re.findall(r'^\t\{ "(\w+)", ', text, re.M)
    flags = re.search(r"pgx_flag_names\[\][^{]*\{(.*?)\};", text, re.S).group(1)
    return names, re.findall(r'"(\w+)"', flags)


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

    def __init__(self, number_, step):
        self.rng = random.Random(SEED * 64 + number_)
        self.step = step
        out, self.out = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(self.out)
            self.result = os.fdopen(out)
            return
        os.setpgid(0, 0)
        self.rounds, self.odd = 0, {}
        signal.signal(signal.SIGTERM, self.leave)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            step(self)
            self.rounds += 1
        self.leave()

    def leave(self, *_):
        os.write(self.out, ("%d %s" % (self.rounds, self.odd or "")).encode())
        os._exit(0)

    def say(self, name, text):
        answer = write(name, text)
        if answer not in ALLOWED:
            self.odd[answer] = (name, text)
        return answer

    def join(self):
        end = time.monotonic() + SECONDS + 30
        while time.monotonic() < end:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                rounds, _, odd = self.result.read().partition(" ")
                return int(rounds or 0), odd
            time.sleep(0.05)
        return 0, "hangs"


def configure(self):
    self.say(self.rng.choice(ENTRIES), setting(self.rng))


def live(self):
    entry, thread = self.rng.choice(ENTRIES), self.rng.choice(THREADS)
    self.say(thread, self.rng.choice(["add_device " + entry] * 6 + ["rem_device " + entry] * 2 + ["rem_device_all"]))


def steer(self):
    """A starter is a process of its own, which may be killed in the middle."""
    starter = os.fork()
    if not starter:
        for number_ in signal.SIGTERM, signal.SIGINT:
            signal.signal(number_, signal.SIG_DFL)
        write("pgctrl", "start")
        os._exit(0)
    time.sleep(self.rng.random() * 0.03)
    how = self.rng.randrange(8)
    if how < 4:
        self.say("pgctrl", "stop")
    elif how < 6:
        os.kill(starter, self.rng.choice([signal.SIGTERM, signal.SIGKILL, signal.SIGINT]))
    elif how < 7:
        self.say("pgctrl", "reset")
    for _ in range(200):
        if os.waitpid(starter, os.WNOHANG)[0]:
            return
        time.sleep(0.005)
        self.say("pgctrl", "stop")
    os.kill(starter, signal.SIGKILL)
    os.waitpid(starter, 0)


# Each leaves things as it found them when it is over, unless another worker came between.
LINKS = ["link set d0 down\nlink set d0 name e0\nlink set e0 up\nlink set e0 down\nlink set e0 name d0\nlink set d0 up",
         "link property add dev d0 altname another\nlink property del dev d0 altname another",
         "link set v1 down\nlink set v1 up", "link set d0 down\nlink set d0 up",
         "link set d0 mtu 700\nlink set d0 mtu 1500",
         "link del d0\nlink add d0 type dummy\nlink set d0 up\n"
         "link add link d0 name d0v type vlan id 5\nlink set d0v up",
         "link del i0\nlink add i0 type ifb\nlink set i0 up",
         "link del m0\nlink add link v0 name m0 type macvlan\nlink set m0 up",
         "link del v0\nlink add v0 type veth peer name v1\nlink set v0 up\nlink set v1 up\n"
         "link add link v0 name m0 type macvlan\nlink set m0 up"]


def links(self):
    subprocess.run(["ip", "-force", "-batch", "-"], input=self.rng.choice(LINKS) + "\n", text=True,
                   stderr=subprocess.DEVNULL)


def namespaces(self):
    """One is made, runs something, and goes with its last process while that runs."""
    pid = os.fork()
    if not pid:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setpgid(0, 0)
        ctypes.CDLL(None).unshare(CLONE_NEWNET)
        subprocess.run(["ip", "-batch", "-"], input="link add n0 type dummy\nlink set n0 up\n", text=True)
        write("kpktgend_%d" % self.rng.randrange(2), "add_device n0")
        for line in "count 0", "burst 8", "xmit_mode " + self.rng.choice(["start_xmit", "netif_receive"]):
            write("n0", line)
        if not os.fork():
            write("pgctrl", "start")
            os._exit(0)
        time.sleep(self.rng.random() * 0.05)
        os.killpg(0, signal.SIGKILL)
    os.waitpid(pid, 0)


def cpus(self):
    for state in "0", "1":
        try:
            with open("/sys/devices/system/cpu/cpu1/online", "w") as file:
                file.write(state)
        except OSError as e:
            if e.errno != errno.EBUSY:
                self.odd[str(e)] = "cpu1"
        time.sleep(0.2 + self.rng.random())


def reader(self):
    """Odd lengths and places, and files that stay open when what they show has gone."""
    held = self.__dict__.setdefault("held", [])
    try:
        held.append(os.open(PG + self.rng.choice(ENTRIES + THREADS + ["pgctrl"]), os.O_RDONLY))
    except OSError:
        pass
    for fd in held:
        try:
            os.pread(fd, self.rng.choice([1, 17, 600, 65536]), self.rng.choice([0, 0, 1, 999, 70000]))
        except OSError as e:
            if e.errno not in (errno.ENOENT, errno.ENODEV, errno.EIO):
                self.odd[str(e)] = "read"
    if len(held) > 6:
        os.close(held.pop(self.rng.randrange(len(held))))


def module(self):
    if subprocess.run(["rmmod", "pktgen_ext"], stderr=subprocess.DEVNULL).returncode == 0:
        insert()
    time.sleep(self.rng.random() * 0.2)


def insert():
    sh("insmod %s" % os.environ["PGX_KO"])


def devices():
    sh("ip link add d0 type dummy; ip link set d0 up; ip link add link d0 name d0v type vlan id 5; ip link set d0v up; "
       "ip link add v0 type veth peer name v1; ip link set v0 up; ip link set v1 up; "
       "ip link add link v0 name m0 type macvlan; ip link set m0 up; ip link add i0 type ifb; ip link set i0 up",
       check=False)


def race(title, *steps):
    began = time.monotonic()
    workers = [Worker(i, step) for i, step in enumerate(steps)]
    results = [(step.__name__,) + worker.join() for step, worker in zip(steps, workers)]
    with open("/sys/devices/system/cpu/cpu1/online", "r+") as file:
        if file.read().strip() == "0":
            file.write("1")
    rounds = ", ".join("%s %d" % r[:2] for r in results)
    print("# %s: %s rounds in %.0f s" % (title, rounds, time.monotonic() - began))
    equal("%s: no worker hangs, none gets an answer that is not documented" % title,
          [r for r in results if r[2]], [])
    ok("%s: every worker came to do something" % title, all(r[1] for r in results), results)


def gone(dev):
    began = time.monotonic()
    sh("ip link del " + dev, check=False)
    return time.monotonic() - began


print("# seed %d, PGX_SEED=%d PGX_SECONDS=%g repeats it" % (SEED, SEED, SECONDS))
sh("modprobe -a dummy veth 8021q macvlan ifb", check=False)
insert()
devices()
later("rmmod pktgen_ext")
for dev in "d0", "v0", "i0", "e0":
    later("ip link del " + dev)

race("entries", configure, configure, configure, live, live, steer, links, namespaces, cpus, reader)
equal("stop", write("pgctrl", "stop"), "OK")
equal("reset", write("pgctrl", "reset"), "OK")

# After it all the module still counts to the packet.
sh("ip link del d0", check=False)
sh("ip link del e0", check=False)
add_dummy("d0")
put("kpktgend_1", "add_device d0")
put("d0", "count 1000", "burst 32")
before = tx_packets("d0")
equal("a run afterwards", start(), "OK")
equal("is exact", (tx_packets("d0") - before, value("d0", "pkts-sofar:")), (1000, "1000"))
write("pgctrl", "reset")

devices()
race("module", configure, live, steer, links, reader, module)
if not os.path.exists(PG):
    insert()
equal("the folder is there", sorted(f for f in os.listdir(PG) if "kpkt" in f), THREADS)
times = [gone(dev) for dev in ("d0", "e0", "v0", "i0")]
ok("every device goes in less than 2 s", max(times) < 2 * SLOW, times)
for _ in range(100):
    if subprocess.run(["rmmod", "pktgen_ext"], stderr=subprocess.DEVNULL).returncode == 0:
        break
    time.sleep(0.05)
ok("the module goes", not os.path.exists("/sys/module/pktgen_ext"))
ok("the folder goes", not os.path.exists(PG))
equal("no thread is left", sh("pgrep kpktgend", check=False), "")
finish()
