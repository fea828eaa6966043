# SPDX-License-Identifier: GPL-2.0
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# Each parameter, as a sniffer on the other end of a veth pair sees it.
import time
from frames import build, faults, fields
from pgx import (add_veth, equal, finish, mac_of, ok, put, read, result, sent, sh, start, tx_packets, value)

add_veth("v0", "v1")


def fresh(*lines):
    put("kpktgend_0", "rem_device_all", "add_device v0")
    put("v0", "flag NO_TIMESTAMP", *lines)


def sees(description, name, want, *lines):
    fresh("count %d" % len(want), *lines)
    frames = sent("v1", len(want))
    equal(description, fields(frames, name), want)
    if faults(frames):
        ok(description + ": lengths and checksums", False, faults(frames))


def draws(flag, name, want, *lines):
    """400 packets of a small range show each of its values and no other."""
    fresh("count 400", "flag " + flag, *lines)
    frames = sent("v1", 400)
    equal(flag + ": each value of the range and no other", sorted(set(fields(frames, name))), want)
    ok(flag + ": lengths and checksums", not faults(frames), faults(frames))


fresh("count 2", "dst 10.1.2.3", "src_min 10.9.8.7", "dst_mac 02:00:00:00:00:01", "src_mac 02:00:00:00:00:02",
      "pkt_size 100")
got = sent("v1", 2)
same = dict(size=100, dmac="02:00:00:00:00:01", smac="02:00:00:00:00:02", saddr="10.9.8.7", daddr="10.1.2.3",
            sport=9, dport=9)
equal("every byte of two frames", [f.hex() for f in got],
      [build(ident=i, seq=i + 1, **same).hex() for i in range(2)])

sees("defaults: 58 bytes", "len", [58, 58])
equal("the listing has the size in use", (value("v0", "min_pkt_size:"), value("v0", "max_pkt_size:")), ("58", "58"))
sees("defaults: source MAC of the device", "smac", [mac_of("v0")])
sees("defaults: ports 9", "dport", [9])
sees("sequence from 1", "seq", [1, 2, 3])
sh("ip addr add 10.77.0.1/24 dev v0")
sees("source address of the device", "saddr", ["10.77.0.1"])
sees("src_min", "saddr", ["10.3.3.3"], "src_min 10.3.3.3")
sees("src range in order, both ends", "saddr", ["10.0.0.254", "10.0.0.255", "10.0.1.0", "10.0.0.254"],
     "src_min 10.0.0.254", "src_max 10.0.1.0")
sees("dst", "daddr", ["198.18.0.42"], "dst 198.18.0.42")
sees("dst range in order, both ends", "daddr", ["10.0.0.%d" % i for i in (1, 2, 3, 1, 2)],
     "dst_min 10.0.0.1", "dst_max 10.0.0.3")
sees("dst_max below dst_min has no effect", "daddr", ["10.0.0.9"] * 2, "dst_min 10.0.0.9", "dst_max 10.0.0.3")
sees("udp_src range, both ends", "sport", [100, 101, 102, 103, 100], "udp_src_min 100", "udp_src_max 103")
sees("udp_dst range to the last port", "dport", [65534, 65535, 65534], "udp_dst_min 65534", "udp_dst_max 65535")
sees("a range of one port", "dport", [7, 7], "udp_dst_min 7", "udp_dst_max 7")
sees("pkt_size", "len", [60], "pkt_size 60")
sees("pkt_size of the MTU", "len", [1514], "pkt_size 1514")
sees("pkt_size 42 is the headers' sum on the wire", "len", [58], "pkt_size 42")
ok("and in the result", "(58byte,0frags)" in result("v0"), result("v0"))
sees("sizes in order, both ends", "len", [60, 61, 62, 60], "min_pkt_size 60", "max_pkt_size 62")
sees("pkt_size sets both ends, whatever they were", "len", [60, 60], "pkt_size 60", "max_pkt_size 90", "pkt_size 60")
sees("src_mac_count carries", "smac", ["02:00:00:00:00:ff", "02:00:00:00:01:00", "02:00:00:00:00:ff"],
     "src_mac 02:00:00:00:00:ff", "src_mac_count 2")
sees("dst_mac_count carries, the first byte stays", "dmac",
     ["02:ff:ff:ff:ff:fe", "02:ff:ff:ff:ff:ff", "02:00:00:00:00:00"], "dst_mac 02:ff:ff:ff:ff:fe", "dst_mac_count 3")
sees("upper case MAC", "dmac", ["02:ab:cd:ef:00:01"], "dst_mac 02:AB:CD:EF:00:01")
sees("IPv4 identification counts", "id", [0, 1, 2])
sees("NO_TIMESTAMP", "sec", [0])

three = ["10.0.0.1", "10.0.0.2", "10.0.0.3"]
draws("UDPSRC_RND", "sport", [100, 101, 102], "udp_src_min 100", "udp_src_max 102")
draws("UDPDST_RND", "dport", [100, 101, 102], "udp_dst_min 100", "udp_dst_max 102")
draws("IPSRC_RND", "saddr", three, "src_min 10.0.0.1", "src_max 10.0.0.3")
draws("IPDST_RND", "daddr", three, "dst_min 10.0.0.1", "dst_max 10.0.0.3")
draws("TXSIZE_RND", "len", [70, 71, 72], "min_pkt_size 70", "max_pkt_size 72")
draws("MACSRC_RND", "smac", ["02:00:00:00:00:01", "02:00:00:00:00:02"], "src_mac 02:00:00:00:00:01",
      "src_mac_count 2")
draws("MACDST_RND", "dmac", ["02:00:00:00:00:01", "02:00:00:00:00:02"], "dst_mac 02:00:00:00:00:01",
      "dst_mac_count 2")
fresh("count 20", "flag IPDST_RND", "dst_min 224.0.0.0", "dst_max 239.255.255.255")
equal("random multicast destinations come to an end", len(sent("v1", 20)), 20)
fresh("count 200", "flag IPDST_RND", "dst_min 126.0.0.0", "dst_max 128.255.255.255")
loop = [a for a in fields(sent("v1", 200), "daddr") if a.startswith("127.")]
ok("loopback addresses within a range are left out", len(loop) < 3, loop)

fresh("count 3", "flag !NO_TIMESTAMP")
before = int(time.time())
got = sent("v1", 3)
ok("timestamps are the time of day", all(before <= s <= time.time() for s in fields(got, "sec")), fields(got, "sec"))
ok("microseconds stay below a million", not faults(got), faults(got))

fresh("count 1000", "pkt_size 60")
before = tx_packets("v0")
start()
equal("clear_counters", (tx_packets("v0") - before, put("v0", "clear_counters"), value("v0", "pkts-sofar:"),
                         value("v0", "seq_num:"), read("v0")[-31:]),
      (1000, None, "0", "1", "Result: OK: Clearing counters.\n\n"[-31:]))
finish()
