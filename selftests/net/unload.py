# SPDX-License-Identifier: GPL-2.0
# pgx: noload
# pgx: timeout 180
"""The module goes while entries are being added: in a namespace that ends at the same moment, by processes that kept its
files open, and here, where the device is removed. An entry that came too late would keep its device for ever, and with
it the end of a namespace, which no other could follow. PGX_SEED gives the seed, PGX_ROUNDS the rounds."""
import os
import random
import threading
import time
from netlink import Links
from pgx import DELETE_MODULE, PG, SLOW, coming_home, equal, finish, insert, libc, ok, sh, unshare

SEED = int(os.environ.get("PGX_SEED") or random.SystemRandom().randrange(1 << 32))
ROUNDS = int(os.environ.get("PGX_ROUNDS") or 20)


def keep_adding(fd, line):
    """Until the file has gone; ENODEV and EBUSY are answers like any."""
    while True:
        try:
            os.write(fd, line)
        except OSError as e:
            if e.strerror == "Input/output error":
                return


def child(work, *args):
    pid = os.fork()
    if not pid:
        try:
            work(*args)
        finally:
            os._exit(0)
    return pid


def namespace():
    """One with a device; its descriptor, and those of two of its files."""
    with coming_home():
        unshare()
        links = Links()
        links.dummy("n0")
        links.up("n0")
        links.sock.close()
        files = [os.open("/proc/thread-self/net/pktgen_ext/kpktgend_%d" % i, os.O_WRONLY) for i in (0, 1)]
        return os.open("/proc/thread-self/ns/net", os.O_RDONLY), files


def one_round(rng, links):
    links.dummy("u0")
    links.up("u0")
    there, files = namespace()
    files.append(os.open(PG + "kpktgend_0", os.O_WRONLY))
    lines = [(files[0], b"add_device n0"), (files[1], b"add_device n0@1"), (files[0], b"add_device n0@2"),
             (files[2], b"add_device u0")]

    def add(fd, line):
        os.close(there)
        keep_adding(fd, line)

    pids = [child(add, *line) for line in lines]
    time.sleep(0.03)
    both = [threading.Thread(target=libc.syscall, args=(DELETE_MODULE, b"pktgen_ext", os.O_NONBLOCK), daemon=True),
            threading.Thread(target=links.delete, args=("u0",), daemon=True)]
    began = time.monotonic()
    both[0].start()
    time.sleep(rng.random() * 0.005)
    os.close(there)
    both[1].start()
    for thread in both:
        thread.join(40 * SLOW)
        if thread.is_alive():
            return None
    took = time.monotonic() - began
    for pid in pids:
        os.waitpid(pid, 0)
    for fd in files:
        os.close(fd)
    return took


rng = random.Random(SEED)
print("# PGX_SEED=%d PGX_ROUNDS=%d" % (SEED, ROUNDS))
sh("modprobe dummy")
times = []
for i in range(ROUNDS):
    insert()
    times.append(one_round(rng, Links()))
    if times[-1] is None:
        ok("round %d ends" % i, False, sh("dmesg | tail -n 5; cat /proc/*/stack | grep -A 8 pktgen_ext", check=False))
        finish()
ok("%d rounds, the longest took %.1f s, less than 5" % (ROUNDS, max(times)), max(times) < 5 * SLOW, times)
equal("no thread is left", sh("pgrep kpktgend", check=False), "")
ok("no folder is left", not os.path.exists(PG))
finish()
