# SPDX-License-Identifier: GPL-2.0
# pgx: noload
# pgx: timeout 180
"""The module goes while entries are being added: in a namespace that ends at the same moment, by a process that kept a
file of it open, and here, where the device is removed. An entry that came too late would keep its device for ever, and the
end of a namespace with it, which no other could follow. PGX_SEED gives the seed, PGX_ROUNDS the rounds."""
import ctypes
import os
import random
import signal
import subprocess
import time
from pgx import PG, SLOW, equal, finish, ok, sh

SEED = int(os.environ.get("PGX_SEED") or random.SystemRandom().randrange(1 << 32))
ROUNDS = int(os.environ.get("PGX_ROUNDS") or 12)
CLONE_NEWNET = 0x40000000
libc = ctypes.CDLL(None)


def child(work, *args):
    pid = os.fork()
    if not pid:
        try:
            work(*args)
        finally:
            os._exit(0)
    return pid


def inside(ready, hold):
    libc.unshare(CLONE_NEWNET)
    subprocess.run(["ip", "-batch", "-"], input="link add n0 type dummy\nlink set n0 up\n", text=True)
    os.write(ready, b"x")
    os.read(hold, 1)


def keep_adding(path, line):
    """Until the file has gone, which closes it; ENODEV and EBUSY are answers like any."""
    fd = os.open(path, os.O_WRONLY)
    while True:
        try:
            os.write(fd, line)
        except OSError as e:
            if e.strerror == "Input/output error":
                return


def one_round(rng):
    ready, hold = os.pipe(), os.pipe()
    owner = child(inside, ready[1], hold[0])
    os.read(ready[0], 1)
    sh("ip link add u0 type dummy; ip link set u0 up")
    theirs = "/proc/%d/net/pktgen_ext/kpktgend_" % owner
    adders = [child(keep_adding, theirs + "0", b"add_device n0"), child(keep_adding, theirs + "1", b"add_device n0@1"),
              child(keep_adding, PG + "kpktgend_0", b"add_device u0")]
    time.sleep(0.02)
    removal = subprocess.Popen(["rmmod", "pktgen_ext"], stderr=subprocess.DEVNULL)
    time.sleep(rng.random() * 0.03)
    os.kill(owner, signal.SIGKILL)
    link = subprocess.Popen(["ip", "link", "del", "u0"])
    began = time.monotonic()
    for what in removal, link:
        what.wait(timeout=60 * SLOW)
    took = time.monotonic() - began
    for pid in [owner] + adders:
        os.waitpid(pid, 0)
    for fd in ready + hold:
        os.close(fd)
    return took


rng = random.Random(SEED)
print("# PGX_SEED=%d PGX_ROUNDS=%d" % (SEED, ROUNDS))
sh("modprobe dummy")
times, stuck = [], ""
for i in range(ROUNDS):
    sh("insmod " + os.environ["PGX_KO"])
    try:
        times.append(one_round(rng))
    except subprocess.TimeoutExpired as e:
        stuck = "round %d: %s" % (i, e)
        break
ok("%d rounds, none of them stuck" % ROUNDS, not stuck, stuck)
if stuck:
    finish()
ok("the longest took %.1f s, less than 5" % max(times), max(times) < 5 * SLOW, times)
equal("no thread is left", sh("pgrep kpktgend", check=False), "")
ok("no folder is left", not os.path.exists(PG))
finish()
