# SPDX-License-Identifier: GPL-2.0
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# pgx: timeout 300
# The 84 rows of what the proc interface must do, in one table, and the same rows through the kernel's own module.
#
# A row is steps, each with what it must give here. Where the row in the conformance table says something else, the
# better behaviour that stands in its place is named behind '--' in the row's title. All steps run through both
# generators. Where those give the same, Documentation/differences.md must not list the row; where they do not, it must.
import ctypes
import os
import re
import signal
import subprocess
import time
import pgx
from frames import fields
from pgx import (SLOW, SkbProbe, add_dummy, add_veth, anywhere, equal, error_name, find_card, later, libc, ok, params,
                 put, quiet_up, read, result, said, sent, sh, start, value, wait_until, write)

OURS, THEIRS = "pktgen_ext", "pktgen"


# Steps: a text, what is wanted of it, and how to get it. A wanted text that begins with '~' is a regular expression.

def D(text, want):
    """A line to the file of a dummy device: the error or OK, and what Result: says then."""
    return text, want, lambda: said("d0", text)


def T(text, want, cpu=0):
    """The same for a thread's file."""
    return text, want, lambda: said("kpktgend_%d" % cpu, text)


def P(text, want):
    """The bytes as they are, to pgctrl."""
    return repr(text)[1:20], want, lambda: write("pgctrl", text)


def show(word, want, name="d0"):
    """The line of the settings that has a word, '' if there is none."""
    return "listing has " + word, want, lambda: "\n".join(
        line for line in params(name).splitlines() if re.search(r"\b%s" % re.escape(word), line))


def do(description, want, call):
    return description, want, lambda: str(call())


def then(*lines, name="d0"):
    """Lines that are no step of their own."""
    return "", "", lambda: put(name, *lines) or ""


SAYS = "~EINVAL \\| ERROR: "	# a refusal with its reason


# What the longer steps do

def as_nobody_special():
    """Root without CAP_NET_ADMIN."""
    out = sh("setpriv --bounding-set -net_admin --inh-caps -net_admin bash -c 'echo stop > %spgctrl' 2>&1; true" % pgx.PG)
    return "EPERM" if "not permitted" in out else out


def bad_pointers():
    got = []
    for name in "pgctrl", "kpktgend_0", "d0":
        fd = os.open(pgx.PG + name, os.O_WRONLY)
        libc.write(fd, ctypes.c_void_p(8), 10)
        got.append(error_name(ctypes.get_errno()))
        os.close(fd)
    return " ".join(got)


def quick(call):
    """Whether the best of three takes less than the 125 ms that one sleep of the old module has."""
    def once():
        began = time.monotonic()
        call()
        return time.monotonic() - began
    return min(once() for _ in range(3)) < 0.125


def on_down_device():
    sh("ip link add down0 type dummy")
    got = said("kpktgend_0", "add_device down0")
    sh("ip link del down0")
    return got


def on_tun():
    sh("modprobe tun; ip tuntap add tun0 mode tun; ip link set tun0 up")
    got = said("kpktgend_0", "add_device tun0")
    sh("ip link del tun0")
    return got


def files():
    return " ".join(sorted(f for f in os.listdir(pgx.PG) if not re.match("pgctrl|kpktgend_", f)))


def on(dev, *lines):
    """Lines to the entry of another device, which is made for them."""
    put("kpktgend_0", "add_device " + dev)
    return "; ".join(said(dev, line) for line in lines)


def running():
    return read("kpktgend_0").splitlines()[0] != "Running: "


class Start:
    """A writer of "start" that is a process of its own."""

    def __init__(self):
        self.process = subprocess.Popen(["sh", "-c", "echo start > %spgctrl" % pgx.PG])
        wait_until(5, running)

    def status(self, seconds=5):
        try:
            return self.process.wait(seconds * SLOW)
        except subprocess.TimeoutExpired:
            write("pgctrl", "stop")
            return "still there"


def endless(name="d0", *lines):
    put(name, "count 0", "delay 10000", *lines)
    return Start()


def veth(count, *lines):
    """A fresh entry of veth, with these settings."""
    put("kpktgend_0", "rem_device_all", "add_device v0")
    put("v0", "flag NO_TIMESTAMP", "count %d" % count, *lines)


def sees(name, count, *lines):
    veth(count, *lines)
    return fields(sent("v1", count), name)


def tags(*lines):
    """TPID, TCI and the lengths of frame and IP packet, of a frame with one tag."""
    veth(1, "pkt_size 100", *lines)
    frame = sent("v1", 1, anywhere)[0]
    return "%s %s type %s, %d bytes, IP %d" % (frame[12:14].hex(), frame[14:16].hex(), frame[16:18].hex(), len(frame),
                                               int.from_bytes(frame[20:22], "big"))


def numbers(dev, function, *lines):
    """Sequence numbers of what the driver was given."""
    put("kpktgend_0", "rem_device_all", "add_device " + dev)
    put(dev, *lines)
    probe = SkbProbe(function)
    start()
    got = [int.from_bytes(call["data"][46:50], "big") for call in probe.calls() if call["len"] == 60]
    probe.close()
    return got


def on_card(*lines):
    return numbers(CARD, "e1000_xmit_frame", "pkt_size 60", *lines)


def link_down_during_a_run():
    writer = endless()
    sh("ip link set d0 down")
    status = writer.status()
    sh("ip link set d0 up")
    return "%s %s" % (status, result("d0")[:3])


def link_down_before():
    sh("ip link set d0 down")
    got = start()
    sh("ip link set d0 up")
    return "%s %s" % (got, re.sub(r"\d+\(c\d+\+d\d+\)", "N", result("d0")))


def signalled():
    writer = endless()
    writer.process.send_signal(signal.SIGINT)
    status = writer.status()
    return "writer %s, %s" % ("gone" if status != "still there" else status,
                              "stopped" if wait_until(0.3, lambda: not running()) else "running")


def unregistered():
    add_dummy("u0")
    put("kpktgend_0", "rem_device_all", "add_device u0")
    writer = endless("u0")
    began = time.monotonic()
    sh("ip link del u0")
    took = time.monotonic() - began
    return "%s, files '%s', %s" % (writer.status(), files(), "in time" if took < 2 * SLOW else "%.1f s" % took)


def removal_of_the_module():
    writer = endless()
    time.sleep(0.5)	# in-tree, start sleeps before it takes hold of the module
    rc = libc.syscall(176, pgx.PG.split("/")[3].encode(), os.O_NONBLOCK)	# delete_module
    name = error_name(ctypes.get_errno()) if rc else "removed"
    write("pgctrl", "stop")
    writer.status()
    return name


def beyond_the_queues():
    sh("ip link add q0 numtxqueues 4 type dummy")
    quiet_up("q0")
    before = int(sh("dmesg | grep -c queue_map", False))
    on("q0", "queue_map_min 5", "queue_map_max 9", "count 1")
    start()
    lines = int(sh("dmesg | grep -c queue_map", False)) - before
    got = "%s %s, log %s" % (value("q0", "queue_map_min:"), value("q0", "queue_map_max:"), "says so" if lines else "silent")
    sh("ip link del q0")
    return got


def namespaces():
    sh("ip netns add other; ip -n other link add d0 type dummy; ip -n other link set d0 up")
    run = "ip netns exec other sh -c '%s'"
    before = sh(run % "ls %s | grep -vc kpktgend_" % pgx.PG).strip()
    sh(run % "cd %s; echo add_device d0 > kpktgend_0; echo count 0 > d0" % pgx.PG)
    writer = endless()
    sh(run % "echo stop > %spgctrl" % pgx.PG)
    still = running()
    write("pgctrl", "stop")
    status = writer.status()
    sh("ip netns del other")
    return "%s file, goes on %s, writer %s" % (before, still, status)


def row(number, title, *steps, alone=""):
    """alone: why the kernel's module is not asked."""
    return number, title, steps, alone


def build_rows():
    return [
    row(1, "foo", P(b"foo\n", "EINVAL")),
    row(2, "stop", P(b"stop\n", "OK")),
    row(3, "stop without newline", P(b"stop", "OK")),
    row(4, "stopX without newline", P(b"stopX", "EINVAL")),
    row(5, "blank before start, two newlines", P(b" start\n", "EINVAL"), P(b"start\n\n", "EINVAL")),
    row(6, "start with nothing to do -- threads are woken",
        then(), do("start", "OK", lambda: (write("kpktgend_0", "rem_device_all"), start())[1]),
        do("in less than 125 ms", "True", lambda: quick(start))),
    row(7, "138 bytes", P(b"A" * 138, "EINVAL")),
    row(8, "without CAP_NET_ADMIN", do("stop", "EPERM", as_nobody_special)),
    row(9, "0 bytes, bad pointer",
        do("0 bytes", "EINVAL EINVAL EINVAL", lambda: " ".join(write(f, b"") for f in ("pgctrl", "kpktgend_0", "d0"))),
        do("bad pointer", "EFAULT EFAULT EFAULT", bad_pointers)),
    row(10, "unknown word to a thread", T("bogus", "~EINVAL \\| ERROR: no such command \"bogus\", allowed is .*", cpu=1)),
    row(11, "max_before_softirq",
        T("max_before_softirq 1", "OK | OK: Note! max_before_softirq is obsoleted -- Do not use")),
    row(12, "add_device of none",
        T("add_device nosuch", "~ENODEV \\| ERROR: can not add device nosuch(: .*)?")),
    row(13, "add_device twice, or on another thread",
        T("add_device d0", "~EBUSY \\| ERROR: can not add device d0(: .*)?"),
        T("add_device d0", "~EBUSY \\| ERROR: can not add device d0(: .*)?", cpu=1)),
    row(14, "add_device with a tag", T("add_device d0@1", "OK | OK: add_device=d0@1", cpu=1),
        do("files", "d0 d0@1", files), T("rem_device_all", "OK | OK: rem_device_all", cpu=1)),
    row(15, "add_device that is down",
        do("add_device down0", "~ENETDOWN \\| ERROR: can not add device down0(: .*)?", on_down_device)),
    row(16, "add_device that is not Ethernet",
        do("add_device tun0", "~EINVAL \\| ERROR: can not add device tun0(: .*)?", on_tun)),
    row(17, "quotes and =", T('add_device = "d0@q"', "OK | OK: add_device=d0@q")),
    row(18, "add_device=NAME", T("add_device=d0@eq", "OK | OK: add_device=d0@eq")),
    row(19, "rem_device_all -- nobody sleeps for it",
        T("rem_device_all", "OK | OK: rem_device_all"), do("files", "", files),
        do("in less than 125 ms", "True", lambda: quick(lambda: write("kpktgend_0", "rem_device_all")))),
    row(20, "unknown word to a device", D("nosuch 1", 'EINVAL | No such parameter "nosuch"')),
    row(21, "a long unknown word", D("averyveryverylongname 1", 'EINVAL | No such parameter "averyveryverylo"')),
    row(22, "what separates words", D("\tcount\t6", "OK | OK: count=6"), D('"count 7"', "OK | OK: count=7"),
        D("==count == 8", "OK | OK: count=8")),
    row(23, "count=9", D("count=9", "OK | OK: count=9")),
    row(24, "numbers that are none -- any number: refused with a reason",
        D("count 5", "OK | OK: count=5"), D("count 10junk", SAYS + 'count: "10junk".*'),
        D("count -5", SAYS + 'count: "-5".*'), D("count abc", SAYS + 'count: "abc".*'),
        D("count 0x10", SAYS + 'count: "0x10".*'), show("count ", "~Params: count 5  .*")),
    row(25, "more than ten digits -- any number: kept whole", D("count 12345678901", "OK | OK: count=12345678901")),
    row(26, "count without a number", D("count", "OK | OK: count=0"),
        alone="in-tree reads on behind the bytes that it was given"),
    row(27, "two lines in one write -- several lines: each is applied",
        do("count 10, pkt_size 60", "OK", lambda: write("d0", "count 10\npkt_size 60")),
        show("count ", "Params: count 10  min_pkt_size: 60  max_pkt_size: 60")),
    row(28, "sizes below 42", D("min_pkt_size 0", "OK | OK: min_pkt_size=42"),
        D("min_pkt_size 41", "OK | OK: min_pkt_size=42")),
    row(29, "pkt_size that is the minimum already -- pkt_size: sets both",
        then("pkt_size 60", "max_pkt_size 1500"), D("pkt_size 60", "OK | OK: pkt_size=60"),
        show("max_pkt_size", "~.*  min_pkt_size: 60  max_pkt_size: 60")),
    row(30, "imix_weights -- imix_weights: a Result line for success",
        D("imix_weights 40,7 576,4 1500,1", "OK | OK: imix_weights=42,7 576,4 1500,1"),
        show("imix_weights", "     imix_weights: 42,7 576,4 1500,1 ")),
    row(31, "imix_weights that are none -- imix_weights: a Result line for failure",
        D("imix_weights " + " ".join("%d,1" % n for n in range(100, 121)), "~E2BIG \\| ERROR: imix_weights.*"),
        D("imix_weights 40:7", SAYS + "imix_weights.*"), D("imix_weights 40,0", SAYS + "imix_weights.*"),
        D("imix_weights 40,7  576,4", SAYS + "imix_weights.*"), D("imix_weights 40,7 ", SAYS + "imix_weights.*"),
        show("imix_weights", "")),
    row(32, "imix_weights with clone_skb -- Result: each error leaves its own text",
        then("imix_weights 60,1"), D("clone_skb 2", SAYS + ".*"), show("clone_skb", "~.*  clone_skb: 0  .*"),
        do("the other way round", SAYS + ".*",
           lambda: (fresh(), put("d0", "clone_skb 2"), said("d0", "imix_weights 60,1"))[2])),
    row(33, "delay for ever", D("delay 2147483647", "OK | OK: delay=18446744073709551615")),
    row(34, "rate", then("pkt_size 60"), D("rate 100", "OK | OK: rate=100"), show("delay", "~.*  delay: 4800  .*"),
        D("rate 300M", "OK | OK: rate=300"), show("delay", "~.*  delay: 1600  .*")),
    row(35, "rate and ratep of 0", D("rate 0", SAYS + "rate.*"), D("ratep 0", SAYS + "ratep.*")),
    row(36, "ratep", D("ratep 1000000", "OK | OK: rate=1000000"), show("delay", "~.*  delay: 1000  .*"),
        D("ratep 3", "OK | OK: rate=3"), show("delay", "~.*  delay: 333333333  .*")),
    row(37, "a port that is none -- any number: refused with a reason",
        D("udp_src_max 70000", '~ERANGE \\| ERROR: udp_src_max: "70000".*'),
        show("udp_src_max", "~.*  udp_src_max: 9  .*")),
    row(38, "clone_skb and burst where the driver does not share -- Result: each error leaves its own text",
        do("lo", "~(EOPNOTSUPP \\| ERROR: clone_skb: .*); (EOPNOTSUPP \\| ERROR: burst: .*)",
           lambda: on("lo", "clone_skb 1", "burst 2")),
        do("veth", "~(EOPNOTSUPP \\| ERROR: clone_skb: .*); (EOPNOTSUPP \\| ERROR: burst: .*)",
           lambda: on("v0", "clone_skb 1", "burst 2"))),
    row(39, "a burst outlives a change of door",
        do("lo", "OK | OK: xmit_mode=netif_receive; OK | OK: burst=2; OK | OK: xmit_mode=start_xmit",
           lambda: on("lo", "xmit_mode netif_receive", "burst 2", "xmit_mode start_xmit")),
        show("burst", "     burst: 2", "lo")),
    row(40, "clone_skb, then netif_receive -- Result: each error leaves its own text",
        then("clone_skb 5"), D("xmit_mode netif_receive", "~EOPNOTSUPP \\| ERROR: .*"), show("xmit_mode", "")),
    row(41, "netif_receive, then clone_skb -- Result: each error leaves its own text",
        then("xmit_mode netif_receive"), D("clone_skb 1", "~EOPNOTSUPP \\| ERROR: clone_skb: .*")),
    row(42, "queue_xmit -- listing: the name that sets it",
        then("xmit_mode queue_xmit"), D("burst 8", "~EOPNOTSUPP \\| ERROR: burst: .*"),
        show("xmit_mode", "     xmit_mode: queue_xmit")),
    row(43, "burst 0", D("burst 0", "OK | OK: burst=1")),
    row(44, "an unknown door -- Result: carries the error, and all doors",
        D("xmit_mode nonsense",
          "OK | xmit_mode -:nonsense:- unknown\nAvailable modes: start_xmit, netif_receive, queue_xmit")),
    row(45, "flags as a number", D("flag UDPCSUM", "OK | OK: flags=0x40040"),
        D("flag !UDPCSUM", "OK | OK: flags=0x40000")),
    row(46, "flag IPV6", D("flag IPV6", "~OK \\| Flag -:IPV6:- unknown\nAvailable flags, "
                           "\\(prepend ! to un-set flag\\):\nIPV6, IPSRC_RND, .*"),
        D("flag !IPV6", "OK | OK: flags=0x40000")),
    row(47, "flag NODE -- and NODE_ALLOC, which the old documentation has",
        D("flag NODE_ALLOC", "OK | OK: flags=0x60000"), D("flag !NODE", "OK | OK: flags=0x40000"),
        D("flag NODE", "OK | OK: flags=0x60000")),
    row(48, "FLOW_RND is FLOW_SEQ cleared", D("flag FLOW_SEQ", "OK | OK: flags=0x40800"),
        D("flag FLOW_RND", "OK | OK: flags=0x40000"), D("flag !FLOW_RND", "OK | OK: flags=0x40800")),
    row(49, "clone_skb, then !SHARED", then("clone_skb 2"), D("flag !SHARED", SAYS + ".*")),
    row(50, "!SHARED, then clone_skb and burst", D("flag !SHARED", "OK | OK: flags=0x0"),
        D("clone_skb 2", SAYS + ".*"), D("burst 2", SAYS + ".*")),
    row(51, "dst", D("dst 10.0.0.1", "OK | OK: dst_min=10.0.0.1")),
    row(52, "words that are none -- src6_min exists; dstmac and svlan are taken for what they mean",
        D("src 1.1.1.1", 'EINVAL | No such parameter "src"'),
        D("dstmac 00:11:22:33:44:55", "OK | OK: dstmac 00:11:22:33:44:55"),
        D("src6_min fc00::1", "OK | OK: src6_min=fc00::1"), then("vlan_id 8"), D("svlan 9", "OK | OK: svlan_id=9")),
    row(53, "MACs that are none -- Result: each error leaves its own text",
        D("dst_mac 00:11:22:33:44", SAYS + 'dst_mac: "00:11:22:33:44".*'),
        D("dst_mac 00-11-22-33-44-55", SAYS + 'dst_mac: "00-11-22-33-44-55".*'),
        D("dst_mac 0:1:2:3:4:5", SAYS + 'dst_mac: "0:1:2:3:4:5".*'),
        show("dst_mac:", "~.* dst_mac: 00:00:00:00:00:00")),
    row(54, "dst_mac", D("dst_mac 00:11:22:33:44:55", "OK | OK: dstmac 00:11:22:33:44:55")),
    row(55, "dst6", D("dst6 fec0::1", "OK | OK: dst6=fec0::1"), show("Flags:", "~     Flags: IPV6  .*"),
        show("min_saddr", "     saddr: ::  min_saddr: ::  max_saddr: ::"),
        show("min_daddr", "     daddr: fec0::1  min_daddr: ::  max_daddr: ::"), show("dst_min", "")),
    row(56, "more flows than there are", D("flows 65537", "~OK \\| OK: flows=65536.*")),
    row(57, "a queue that is none -- any number: refused with a reason",
        D("queue_map_max 65536", '~ERANGE \\| ERROR: queue_map_max: "65536".*'),
        D("queue_map_max 123456", '~ERANGE \\| ERROR: queue_map_max: "123456".*')),
    row(58, "mpls, and no vlan any more", then("vlan_id 5"),
        D("mpls 0001000a,0002000a,0000000a", "OK | OK: mpls=0001000a,0002000a,0000000a"),
        show("mpls:", "     mpls: 0001000a, 0002000a, 0000000a"), show("vlan_id", "")),
    row(59, "mpls 1", D("mpls 1", "OK | OK: mpls=00000001")),
    row(60, "mpls 0", then("mpls 1"), D("mpls 0", "OK | OK: mpls="), show("mpls:", "")),
    row(61, "16 and 17 labels",
        D("mpls " + ",".join(["0000100a"] * 16), "OK | OK: mpls=" + ",".join(["0000100a"] * 16)),
        D("mpls " + ",".join(["0000200a"] * 17), "~E2BIG \\| ERROR: mpls.*"),
        show("mpls:", "     mpls: " + ", ".join(["0000100a"] * 16))),
    row(62, "a label with bit 0x100", D("mpls 00000100", "OK | OK: mpls=00000100"),
        show("Flags:", "~.*MPLS_RND  .*")),
    row(63, "vlan_p without vlan -- the error names the value",
        D("vlan_p 3", "~OK \\| ERROR: vlan_p must be 0-7.*"), show("vlan_p", "")),
    row(64, "vlan_p and vlan_cfi out of range -- the error names the value",
        then("mpls 0000100a"), D("vlan_id 77", "OK | OK: vlan_id=77"), show("mpls:", ""),
        D("vlan_p 8", "~OK \\| ERROR: vlan_p must be 0-7.*"), D("vlan_cfi 2", "~OK \\| ERROR: vlan_cfi must be 0-1.*"),
        show("vlan_p", "     vlan_id: 77  vlan_p: 0  vlan_cfi: 0")),
    row(65, "vlan_id 4096 -- Result: belongs to the last command",
        then("vlan_id 77", "svlan_id 78"), D("vlan_id 4096", "OK | OK: vlan_id=off"), show("vlan_id", "")),
    row(66, "svlan_id without vlan -- Result: carries the error",
        D("svlan_id 5", "~OK \\| ERROR: svlan_id.*"), show("vlan_id", "")),
    row(67, "tos -- exactly two digits", D("tos 0", "~OK \\| ERROR: tos must be 00-ff.*"),
        D("tos 0f", "OK | OK: tos=0x0f"), D("tos 0ff", "~OK \\| ERROR: tos must be 00-ff.*"),
        show("tos:", "     tos: 0x0f")),
    row(68, "more than nine digits -- any number: refused with a reason",
        D("skb_priority 9999999999", '~ERANGE \\| ERROR: skb_priority: "9999999999".*'), show("skb_priority", "")),
    row(69, "an impossible node -- the error names the value",
        D("node 100", "~OK \\| ERROR: node not possible.*"), show("node:", "")),
    row(70, "clear_counters", do("clear_counters", "OK", lambda: write("d0", "clear_counters")),
        do("the end of the listing", "Result: OK: Clearing counters.\n\n", lambda: read("d0")[-32:]),
        do("seq_num", "1", lambda: value("d0", "seq_num:"))),
    row(71, "defaults on veth", do("lengths and numbers", "[58, 58] [1, 2]", lambda: (lambda got: "%s %s" % (
        fields(got, "len"), fields(got, "seq")))((veth(2), sent("v1", 2))[1])),
        show("min_pkt_size", "Params: count 2  min_pkt_size: 58  max_pkt_size: 58", "v0")),
    row(72, "pkt_size 42 -- sizes: the reported length is the wire's",
        do("on the wire", "[58]", lambda: sees("len", 1, "pkt_size 42")),
        do("reported", "True", lambda: "(58byte,0frags)" in result("v0"))),
    row(73, "udp_src in order -- UDP port ranges: inclusive",
        do("ports", "[100, 101, 102, 103, 100]",
           lambda: sees("sport", 5, "udp_src_min 100", "udp_src_max 103"))),
    row(74, "dst in order -- ranges: start at the first value",
        do("addresses", str(["10.0.0.%d" % n for n in (1, 2, 3, 1, 2)]),
           lambda: sees("daddr", 5, "dst_min 10.0.0.1", "dst_max 10.0.0.3"))),
    row(75, "vlan 77, priority 3",
        do("cfi 0", "8100 604d type 0800, 100 bytes, IP 82", lambda: tags("vlan_id 77", "vlan_p 3")),
        do("cfi 1", "8100 704d type 0800, 100 bytes, IP 82", lambda: tags("vlan_id 77", "vlan_p 3", "vlan_cfi 1"))),
    row(76, "clone_skb 3 on a card",
        do("numbers", "[1, 1, 1, 4, 4, 4]", lambda: on_card("count 6", "clone_skb 3"))),
    row(77, "count 6, burst 4 on a card -- count: exact",
        do("packets", "6", lambda: len(on_card("count 6", "burst 4")))),
    row(78, "link down during a run", do("writer and result", "0 OK:", link_down_during_a_run)),
    row(79, "link down before",
        do("start and result", "OK OK: N usec, 0 (58byte,-1frags)\n  0pps 0Mb/sec (0bps) errors: 0", link_down_before)),
    row(80, "a signal to the writer", do("SIGINT", "writer gone, stopped", signalled)),
    row(81, "device removed during a run", do("ip link del", "0, files '', in time", unregistered)),
    row(82, "rmmod during start", do("delete_module", "EAGAIN", removal_of_the_module)),
    row(83, "queues beyond the last", do("5 to 9 of 4", "3 3, log says so", beyond_the_queues),
        alone="its log line looks like a kernel warning to the runner"),
    row(84, "two namespaces", do("stop in the other", "1 file, goes on True, writer 0", namespaces)),
    ]


def fresh():
    write("kpktgend_0", "rem_device_all")
    put("kpktgend_0", "add_device d0")


def good(got, want):
    return bool(re.fullmatch(want[1:], got, re.S)) if want.startswith("~") else got == want


def run(steps):
    """What each step gave."""
    got = []
    for _, _, call in steps:
        try:
            got.append(call())
        except (OSError, IndexError, ValueError, subprocess.CalledProcessError) as e:
            got.append("%s: %s" % (type(e).__name__, e))
    return got


def series():
    return tuple(int(n) for n in os.uname().release.split(".")[:2])


def concerns(kernels):
    """Whether '6.1', 'before 6.15' or '' in a row's brackets means this kernel."""
    wanted = tuple(int(n) for n in kernels.replace("before ", "").split(".") if n)
    if kernels.startswith("before "):
        return series() < wanted
    return not wanted or series() == wanted


def listed():
    """Rows that Documentation/differences.md has for this kernel."""
    with open(os.environ["PGX_TOP"] + "/Documentation/differences.md") as f:
        found = re.findall(r"^\| (\d+)(?: \(((?:before )?[\d.]+)\))? \|", f.read(), re.M)
    return {int(number) for number, kernels in found if concerns(kernels)}


def judge(number, title, steps, got):
    named = "\n".join("%s\n    gave %r\n    want %r" % (text, g, want) for (text, want, _), g in zip(steps, got)
                      if not good(g, want))
    ok("row %d: %s" % (number, title), not named, named)


def compare(number, steps, ours, theirs, known):
    apart = [(text, a, b) for (text, _, _), a, b in zip(steps, ours, theirs) if a != b]
    for text, a, b in apart:
        print("# row %d, %.60s\n#     here    %r\n#     in-tree %r" % (number, text, a, b))
    ok("row %d: differences.md is right that it %s" % (number, "differs" if number in known else "is the same"),
       bool(apart) == (number in known), "it %s" % ("differs" if apart else "is the same"))


sh("modprobe pktgen")
later("rmmod pktgen")
add_dummy("d0")
add_veth("v0", "v1")
CARD = find_card()
ON_CARD = (76, 77)
ROWS = build_rows()
equal("all 84 rows are here", [r[0] for r in ROWS], list(range(1, 85)))
KNOWN = listed()
for ROW_NUMBER, ROW_TITLE, ROW_STEPS, ALONE in ROWS:
    if ROW_NUMBER in ON_CARD and not CARD:
        ok("row %d: %s # SKIP no network card that this kernel has the driver of" % (ROW_NUMBER, ROW_TITLE), True)
        continue
    GOT = {}
    for side in (OURS,) if ALONE else (OURS, THEIRS):
        pgx.use(side)
        fresh()
        GOT[side] = run(ROW_STEPS)
    judge(ROW_NUMBER, ROW_TITLE, ROW_STEPS, GOT[OURS])
    if ALONE:
        print("# row %d is not compared: %s" % (ROW_NUMBER, ALONE))
    else:
        compare(ROW_NUMBER, ROW_STEPS, GOT[OURS], GOT[THEIRS], KNOWN)
for side in OURS, THEIRS:
    pgx.use(side)
    write("pgctrl", "reset")
pgx.finish()
