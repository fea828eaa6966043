# SPDX-License-Identifier: GPL-2.0
# Every refusal: its errno, a reply that names parameter, value and what is allowed, and settings left as they were.
import os
from pgx import PG, add_dummy, add_veth, equal, finish, ok, params, put, read, result, sh, start, write

add_veth("v0", "v1")
add_dummy("d0")
put("kpktgend_0", "add_device d0", "add_device v0")


def refused(name, text, error, *words):
    """A write fails, its reply holds these words, nothing changes."""
    before = params(name)
    got = write(name, text)
    reply = result(name)
    ok("%s: %r" % (name, text), got == error and all(w in reply for w in words) and params(name) == before,
       "got %s, want %s\n%s\n%s" % (got, error, reply, "" if params(name) == before else "settings changed"))


def taken(name, text, reply):
    equal("%s: %s" % (name, text), (write(name, text), result(name)), ("OK", reply))


# Rows of the conformance table: what every word answers
taken("d0", "count 10", "OK: count=10")
taken("d0", "count", "OK: count=0")
taken("d0", "\tcount\t6", "OK: count=6")
taken("d0", '"count 7"', "OK: count=7")
taken("d0", "==count == 8", "OK: count=8")
taken("d0", "count=9", "OK: count=9")
taken("d0", "count 10 ", "OK: count=10")
taken("d0", "count 11\r", "OK: count=11")
taken("d0", "count 2k", "OK: count=2000")
taken("d0", "count 10M", "OK: count=10000000")
taken("d0", "count 10 20", 'OK: count=10 (ignored: "20")')
taken("d0", "min_pkt_size 0", "OK: min_pkt_size=42")
taken("d0", "min_pkt_size 41", "OK: min_pkt_size=42")
taken("d0", "delay 5us", "OK: delay=5000")
taken("d0", "duration 2s", "OK: duration=2000000000")
taken("d0", "duration 0", "OK: duration=0")
taken("d0", "rate 1G", "OK: rate=1000")
taken("d0", "ratep 1M", "OK: rate=1000000")
taken("d0", "delay 0", "OK: delay=0")
taken("d0", "burst 0", "OK: burst=1")
taken("d0", "clone_skb 1", "OK: clone_skb=1")
taken("d0", "clone_skb 0", "OK: clone_skb=0")
taken("d0", "dst 10.0.0.1", "OK: dst_min=10.0.0.1")
taken("d0", "dst_mac 00:11:22:33:44:55", "OK: dstmac 00:11:22:33:44:55")
taken("d0", "src_mac 00:11:22:33:44:55", "OK: srcmac 00:11:22:33:44:55")
taken("d0", "flag NO_TIMESTAMP", "OK: flags=0x40080")
taken("d0", "flag UDPSRC_RND UDPDST_RND !NO_TIMESTAMP", "OK: flags=0x40030")
taken("d0", "flag !UDPSRC_RND !UDPDST_RND", "OK: flags=0x40000")
taken("kpktgend_0", "max_before_softirq 1", "OK: Note! max_before_softirq is obsoleted -- Do not use")
taken("kpktgend_0", 'add_device = "d0@q"', "OK: add_device=d0@q")
taken("kpktgend_0", "add_device=d0@eq", "OK: add_device=d0@eq")
taken("kpktgend_0", "rem_device d0@q", "OK: rem_device=d0@q")
taken("kpktgend_0", "rem_device d0@eq", "OK: rem_device=d0@eq")

for text in ("count 10junk", "count abc", "count -5", "count 0x10", "count 1.5", "count +1"):
    refused("d0", text, "EINVAL", "count", text.split()[1], "allowed is 0 to 18446744073709551615")
refused("d0", "count 18446744073709551616", "ERANGE", "count", "18446744073709551616", "out of range")
refused("d0", "count 99999999999999999G", "ERANGE", "count")
for name in ("udp_src_min", "udp_src_max", "udp_dst_min", "udp_dst_max", "queue_map_min", "queue_map_max"):
    refused("d0", name + " 65536", "ERANGE", name, "65536", "0 to 65535")
for name in ("pkt_size", "min_pkt_size", "max_pkt_size"):
    refused("d0", name + " 2147483647", "ERANGE", name, "65549")
    refused("d0", name + " 9999999999", "ERANGE", name, "65549")
refused("d0", "burst 65537", "ERANGE", "burst", "65536")
refused("d0", "rate 0", "EINVAL", "rate", "0")
refused("d0", "ratep 0", "EINVAL", "ratep", "1 to 1000000000")
refused("d0", "ratep 1000000001", "ERANGE", "ratep")
refused("d0", "delay 5min", "EINVAL", "delay", "us ms s")
for address in ("300.1.2.3", "1.2.3", "1.2.3.4.5", "abc", "1.2.3.4x", "0001.2.3.4"):
    for name in ("dst", "dst_min", "dst_max", "src_min", "src_max"):
        refused("d0", "%s %s" % (name, address), "EINVAL", name.rstrip("_"), "IPv4")
refused("d0", "dst 10.0.0.0/24", "EINVAL", "prefix", "first and the last")
for mac in ("00:11:22:33:44", "00-11-22-33-44-55", "0:1:2:3:4:5", "00:11:22:33:44:55:66", "00:11:22:33:44:5g", ""):
    refused("d0", "dst_mac " + mac, "EINVAL", "dst_mac", "xx:xx:xx:xx:xx:xx")
    refused("d0", "src_mac " + mac, "EINVAL", "src_mac", "xx:xx:xx:xx:xx:xx")
refused("d0", "nosuch 1", "EINVAL", 'No such parameter "nosuch"')
refused("d0", "averyveryverylongname 1", "EINVAL", 'No such parameter "averyveryverylo"')
refused("d0", "src 1.1.1.1", "EINVAL", 'No such parameter "src"')
refused("d0", "", "EINVAL")
refused("d0", b"", "EINVAL")
refused("d0", " = \" \n\n\t", "EINVAL")

# Soft refusals: the write returns its count, the reply tells
refused("d0", "xmit_mode nonsense", "OK", "xmit_mode -:nonsense:- unknown\nAvailable modes: start_xmit, netif_receive")
refused("d0", "flag nonsense", "OK", "Flag -:nonsense:- unknown\nAvailable flags, (prepend ! to un-set flag):\n")
refused("d0", "flag", "OK", "Flag -::- unknown")
refused("d0", "flag NO_TIMESTAMP nonsense", "OK", "Flag -:nonsense:- unknown")
refused("d0", "flag no_timestamp", "OK", "unknown")
refused("d0", "flag !!SHARED", "OK", "unknown")
refused("d0", "xmit_mode \x1b[31m", "OK", "xmit_mode -:?[31m:- unknown")

# Couplings, in whichever order
for text in ("clone_skb 1", "burst 2"):
    refused("v0", text, "EOPNOTSUPP", text.split()[0], "IFF_TX_SKB_SHARING", "allowed is")
put("d0", "xmit_mode netif_receive")
refused("d0", "clone_skb 1", "EOPNOTSUPP", "clone_skb", "netif_receive", "allowed is 0")
put("d0", "xmit_mode queue_xmit")
refused("d0", "clone_skb 1", "EOPNOTSUPP", "clone_skb", "queue_xmit", "allowed is 0")
refused("d0", "burst 8", "EOPNOTSUPP", "burst", "queue_xmit", "allowed is 1")
put("d0", "xmit_mode start_xmit", "clone_skb 5")
refused("d0", "xmit_mode netif_receive", "EOPNOTSUPP", "clone_skb", "netif_receive")
refused("d0", "xmit_mode queue_xmit", "EOPNOTSUPP", "clone_skb", "queue_xmit")
refused("d0", "flag !SHARED", "EINVAL", "SHARED", "clone_skb 5")
put("d0", "clone_skb 0", "burst 2")
refused("d0", "flag !SHARED", "EINVAL", "SHARED", "burst 2")
put("d0", "burst 1", "flag !SHARED")
refused("d0", "clone_skb 2", "EINVAL", "SHARED")
refused("d0", "burst 2", "EINVAL", "SHARED")
put("d0", "flag SHARED")
put("v0", "xmit_mode netif_receive", "burst 2", "xmit_mode start_xmit")
ok("a burst set for netif_receive stays", "burst: 2" in read("v0"))
equal("and is looked at again at start", (start(), "IFF_TX_SKB_SHARING" in result("v0")), ("EOPNOTSUPP", True))
equal("then nothing has started", read("kpktgend_0").splitlines()[0], "Running: ")
put("v0", "burst 1", "pkt_size 1519")
equal("a frame that the device does not send", (start(), "allowed is 42 to 1518" in result("v0")), ("ERANGE", True))
put("v0", "pkt_size 1518", "count 3")
equal("the longest that it sends", start(), "OK")

# Several lines in one write
equal("lines are applied in order", (write("d0", "count 5\npkt_size 99\n"), result("d0")), ("OK", "OK: pkt_size=99"))
equal("the first of them too", read("d0").split()[2], "5")
got = write("d0", "count 6\n\nburst x\ncount 7")
ok("an error ends them and says which line", got == "EINVAL" and "burst" in result("d0")
   and "(line 3; lines applied before it: 1)" in result("d0"), (got, result("d0")))
equal("what was applied stays, the rest is not looked at", read("d0").split()[2], "6")

# Threads and entries
refused_add = [("nosuch", "ENODEV"), ("d0", "EBUSY"), ("", "EINVAL"), ("pgctrl", "EINVAL"), ("kpktgend_0", "EINVAL"),
               ("d0@a/b", "EINVAL"), (".", "EINVAL"), ("..", "EINVAL"), ("d0@\x07", "EINVAL"),
               ("d0@" + "x" * 300, "EINVAL")]
for name, error in refused_add:
    got = write("kpktgend_0", "add_device " + name)
    reply = result("kpktgend_0")
    ok("add_device %.20r" % name, got == error and reply.startswith("ERROR: can not add device "), (got, reply))
equal("on another thread too", write("kpktgend_1", "add_device d0"), "EBUSY")
sh("ip link add down0 type dummy")
equal("a device that is down", write("kpktgend_0", "add_device down0"), "ENETDOWN")
sh("ip link del down0; modprobe tun; ip tuntap add tun0 mode tun; ip link set tun0 up")
equal("a device that is not Ethernet", write("kpktgend_0", "add_device tun0"), "EINVAL")
sh("ip link del tun0")
equal("rem_device of none", write("kpktgend_0", "rem_device nosuch"), "ENODEV")
equal("an unknown word for a thread", write("kpktgend_0", "bogus"), "EINVAL")
equal("its result says what there is", result("kpktgend_0"),
      'ERROR: no such command "bogus", allowed is add_device, rem_device, rem_device_all, '
      'max_before_softirq')

# pgctrl
for text in (b"foo", b" start", b"start\n\n", b"stopX", b"A" * 138, b"star", b"", b"\n", b"\0"):
    equal("pgctrl: %.12r" % text, write("pgctrl", text), "EINVAL")
for text in (b"stop", b"stop\n", b"stop\0", b"stop\n\0"):
    equal("pgctrl: %r" % text, write("pgctrl", text), "OK")
equal("version line", read("pgctrl"), "Packet Generator for packet performance testing. Version: 2.75\n")
equal("more than a write may hold", write("d0", b"count 1\n" * 10000), "E2BIG")
fd = os.open(PG + "d0", os.O_RDONLY)
put("kpktgend_0", "rem_device_all")
try:
    equal("a file that is gone", os.read(fd, 100), "EIO")
except OSError as e:
    equal("a file that is gone", e.errno, 5)
finish()
