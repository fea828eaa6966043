# SPDX-License-Identifier: GPL-2.0
# pgx: timeout 180
# Cases from practice: namespaces, rights, bytes given to write(), numbers, exact counts, parsers of results.
import ctypes
import errno
import mmap
import os
import re
import subprocess
from pgx import (PG, add_dummy, add_veth, equal, error_name, finish, inside, libc, mac_of, ok, outcome, put, read, result,
                 rx_packets, sh, start, tx_packets, value, wait_until, write)


def kthreads():
    return sh("ps -e -o comm= | grep -c kpktgend", False).strip()


# C10: two namespaces with the same device; one goes away while its generator runs
for ns in "a", "b":
    sh("ip netns add %s; ip -n %s link add d0 type dummy; ip -n %s link set d0 up" % (ns, ns, ns))
equal("C10: no thread before the first entry", kthreads(), "0")
with inside("a"):
    put("kpktgend_0", "add_device d0")
    put("d0", "count 0", "xmit_mode netif_receive", "burst 32")
    a_ctl = os.open(PG + "pgctrl", os.O_WRONLY)
    a_dev = os.open(PG + "d0", os.O_RDONLY)
with inside("b"):
    equal("C10: the same name in another namespace", write("kpktgend_0", "add_device d0"), "OK")
    put("d0", "count 0", "xmit_mode netif_receive", "burst 32")
    b_ctl = os.open(PG + "pgctrl", os.O_WRONLY)
    equal("C10: b knows nothing of a's settings", write("d0", "count 0"), "OK")


def start_through(fd):
    """A child, in the first namespace, that writes start to a file of another one."""
    pid = os.fork()
    if not pid:
        os._exit(outcome(lambda: os.write(fd, b"start\n")) != "OK")
    return pid


def ended(pid):
    return os.waitpid(pid, os.WNOHANG)[0] == pid


def running_in(ns):
    with inside(ns):
        return read("kpktgend_0").splitlines()[0] != "Running: "


a_child = start_through(a_ctl)
b_child = start_through(b_ctl)
ok("C12: a write acts on the namespace of its file", wait_until(5, lambda: running_in("a") and running_in("b")))
equal("C10: one thread each, for the CPU that is used", kthreads(), "2")
ok("C10: nothing runs in the first namespace", all(f in ("pgctrl", "kpktgend_0", "kpktgend_1") for f in os.listdir(PG)))
sh("ip netns del a")
ok("C10: a namespace that runs ends in less than 3 s", wait_until(3, lambda: ended(a_child)))
ok("C10: and its thread with it", wait_until(3, lambda: kthreads() == "1"), kthreads())
ok("C10: the other goes on", running_in("b"))
equal("C10: a file of the dead namespace", outcome(lambda: os.read(a_dev, 100)), "EIO")
equal("C10: and a write to one", outcome(lambda: os.write(a_ctl, b"stop")), "EIO")
os.write(b_ctl, b"stop\n")
ok("C12: stop through a file of another namespace", wait_until(3, lambda: ended(b_child)))
for fd in a_ctl, a_dev, b_ctl:
    os.close(fd)
sh("ip netns del b")
ok("no thread stays", wait_until(3, lambda: kthreads() == "0"), kthreads())

# C12: rights
add_dummy("d0")
put("kpktgend_0", "add_device d0")
files = ("pgctrl", "kpktgend_0", "d0")
for user in "setpriv --reuid 65534 --clear-groups", "setpriv --bounding-set -net_admin --inh-caps -net_admin":
    for name in files:
        out = sh("%s bash -c 'echo stop > %s%s' 2>&1; true" % (user, PG, name))
        ok("C12: %s may not write %s" % (user.split()[1], name), "denied" in out or "not permitted" in out, out)
out = sh("unshare -Urn bash -c 'for f in pgctrl kpktgend_0; do echo stop > %s$f; done' 2>&1; true" % PG)
equal("C12: root of a user namespace may write to none of its files", out.count("not permitted"), 2)

# C25: nothing past the bytes that were given is read
page = mmap.PAGESIZE
area = mmap.mmap(-1, 2 * page)
base = ctypes.addressof(ctypes.c_char.from_buffer(area))
libc.mprotect(ctypes.c_void_p(base + page), page, 0)
seen = set()
for name in files:
    fd = os.open(PG + name, os.O_WRONLY)
    for text in b"add_device nosuch", b"count 1234567890123456789", b"xmit_mode netif_receive_and_more", b"A" * 40:
        for n in range(1, min(len(text), 40) + 1):
            area[page - n:page] = text[:n]
            rc = libc.write(fd, ctypes.c_void_p(base + page - n), n)
            seen.add("OK" if rc == n else error_name(ctypes.get_errno()))
    os.close(fd)
ok("C25: writes at the end of a mapping", seen <= {"OK", "EINVAL", "ENODEV", "ERANGE"}, seen)
area[page - 7:page] = b"count 8"
fd = os.open(PG + "d0", os.O_WRONLY)
libc.write(fd, ctypes.c_void_p(base + page - 7), 7)
equal("C25: the last byte counts", result("d0"), "OK: count=8")
equal("a bad pointer", (libc.write(fd, ctypes.c_void_p(8), 10), ctypes.get_errno()), (-1, errno.EFAULT))
os.close(fd)

# C34: pgctrl takes its words with or without newline and NUL, and nothing else
wrong = ("stars" * 26)[:130]
got = {write("pgctrl", wrong[:n].encode()) for n in range(131)}
equal("C34: each beginning of a wrong command", got, {"EINVAL"})
for text in b"start", b"start\n", b"start\0", b"start\n\0":
    equal("C34: %r" % text, write("pgctrl", text), "OK")

# C39: numbers are kept whole or refused
put("d0", "count 10000000000")
equal("C39: a large count is kept", (result("d0"), value("d0", "count")), ("OK: count=10000000000", "10000000000"))
put("d0", "count 18446744073709551615")
equal("C39: up to 2^64-1", value("d0", "count"), "18446744073709551615")
for text, error in (("count 18446744073709551616", "ERANGE"), ("udp_src_min 70000", "ERANGE"),
                    ("udp_dst_max 65536", "ERANGE"), ("count 0x40", "EINVAL"), ("count abc", "EINVAL")):
    equal("C39: " + text, (write("d0", text), value("d0", "count")), (error, "18446744073709551615"))

# C63: counts are exact at any burst, and a run that stops early says how far it got
put("d0", "xmit_mode start_xmit", "burst 32", "count 1000")
before = tx_packets("d0")
start()
equal("C63: burst 32, count 1000", (tx_packets("d0") - before, value("d0", "pkts-sofar:")), (1000, "1000"))

# C64: what parsers look for
text = read("d0")
lines = text.splitlines()
at = lines.index(next(line for line in lines if line.startswith("Result:")))
equal("C64: field 5 of the result line is the number of packets", lines[at].split()[4].rstrip(","), "1000")
equal("C64: field 5 of the last line is the number of errors", lines[-1].split()[4], "0")
ok("C64: the last line has pps", re.search(r"[0-9]+pps", lines[-1]) and at == len(lines) - 2, lines[at:])
ok("C64: blocks stand in their order", re.search(r"Params:.*Current:.*Result:\s\w+", text, re.S))
ok("C64: pkts-sofar", re.search(r"pkts-sofar: 1000  errors: 0\n", text))
ok("C64: first result line", re.search(r"Result: (\w+): \d+\([\w+]+\) \w+, (\d+) \((\d+)byte,\d+frags\)\n", text))
ok("C64: second result line", re.search(r"\n  (\d+)pps \d+Mb/sec \((\d+)bps\) errors: (\d+)\n$", text))
ok("C64: times", re.search(r"started: \d+us  stopped: \d+us idle: \d+us", text))
ok("C64: version", re.search(r"Version: \d\.\d+", read("pgctrl")))
put("kpktgend_1", "add_device d0@idle")
equal("C64: an entry that did nothing", read("d0@idle").splitlines()[-1], "Result: Idle")

# C71: thirteen settings, start, the device's counter, reset
put("pgctrl", "reset")
add_veth("v0", "v1")
put("kpktgend_0", "rem_device_all", "add_device v0")
put("v0", "clone_skb 0", "count 300", "delay 0", "pkt_size 64", "min_pkt_size 64", "max_pkt_size 64", "src_mac " +
    mac_of("v0"), "dst_mac " + mac_of("v1"), "src_min 10.0.0.1", "src_max 10.0.0.1", "dst 10.0.0.2", "udp_src_min 9",
    "udp_dst_min 9")
before = tx_packets("v0"), rx_packets("v1")
equal("C71: start", start(), "OK")
equal("C71: counters of both ends", (tx_packets("v0") - before[0], rx_packets("v1") - before[1]), (300, 300))
equal("C71: reset", (write("pgctrl", "reset"), sorted(os.listdir(PG))), ("OK", ["kpktgend_0", "kpktgend_1", "pgctrl"]))

# How scripts write
put("kpktgend_0", "add_device v0")
sh("{ echo 'count 5'; echo 'pkt_size 99'; } > %sv0" % PG)
equal("two writes at rising offsets", (value("v0", "count"), value("v0", "max_pkt_size:")), ("5", "99"))
subprocess.run(["sh", "-c", "cat > %sv0" % PG], input=b"count 6\npkt_size 98\n", check=True)
equal("a heredoc with several lines", (value("v0", "count"), value("v0", "max_pkt_size:")), ("6", "98"))
with open(PG + "v0", "r+") as f:
    f.write("count 7\n")
equal("a file that is opened for reading and writing", value("v0", "count"), "7")
sh("cp %sv0 /tmp/copy" % PG)
ok("cp of a file has all of it", open("/tmp/copy").read() == read("v0"))
for word in "ipg 0", "config 1", "inject 1":
    equal("legacy word " + word, (write("v0", word), result("v0")),
          ("EINVAL", 'No such parameter "%s"' % word.split()[0]))
finish()
