# SPDX-License-Identifier: GPL-2.0
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# What a network card puts on the wire: its own checksums, frames from fragments. QEMU writes each frame down behind it.
import os
import re
import struct
from frames import by_scapy, difference
from pgx import equal, finish, ok, result, sh, start, wait_until
from rig import IP, STACKS, V4, V6, fresh, series

DUMP = "/run/job/card.pcap"


def find_card():
    sh("modprobe -q e1000", False)
    names = sh("ls -d /sys/class/net/*/device 2>/dev/null | cut -d / -f 5", False).split()
    if not names or not os.path.exists(DUMP):
        print("ok 1 a network card # SKIP there is none that this kernel has the driver of, or no one writes down what it sends")
        print("1..1")
        raise SystemExit
    sh("sysctl -qw net.ipv6.conf.%s.disable_ipv6=1; ip link set %s up" % (names[0], names[0]))
    wait_until(10, lambda: open("/sys/class/net/%s/carrier" % names[0]).read() == "1\n")
    return names[0]


def dumped(at, count):
    """Frames written down from that place in the file on; other ones than ours are left out."""
    ours = b"\2\0\0\0\0\2\2\0\0\0\0\1"

    def read():
        found = []
        with open(DUMP, "rb") as f:
            data = f.read()[at:]
        while len(data) >= 16:
            length = struct.unpack("=I", data[8:12])[0]
            frame, data = data[16:16 + length], data[16 + length:]
            if len(frame) == length and frame.startswith(ours):
                found.append(frame)
        return found

    wait_until(5, lambda: len(read()) >= count)
    return read()


def same(description, specs, *lines):
    fresh("count %d" % len(specs), *lines, dev=dev)
    at = os.stat(DUMP).st_size
    start()
    got = dumped(at, len(specs))
    wrong = difference(got, [by_scapy(**s) for s in specs])
    ok(description, not wrong, wrong + "\n" + result(dev))


def sums(who):
    for version, (addresses, ip) in IP.items():
        for name, (lines, layers) in STACKS.items():
            for size, frags in ((91, 0), (1514, 0), (1001, 5)):
                same("card's checksum %s: IPv%d, %s, %d bytes, frags %d" % (who, version, name, size, frags),
                     series(dict(ip, size=size, checksum=True, **layers), 1), "flag UDPCSUM", "pkt_size %d" % size,
                     "frags %d" % frags, *addresses, *lines)


def zeros():
    """Source ports with which the checksum comes to 0, worked out from scapy's checksum with port 0."""
    for version, (addresses, ip) in IP.items():
        frame = by_scapy(sport=0, size=100, checksum=True, **ip)
        at = 14 + (20 if version == 4 else 40) + 6
        port = struct.unpack("!H", frame[at:at + 2])[0]
        spec = dict(ip, sport=port, size=100, checksum=True)
        equal("IPv%d: scapy's frame has ffff" % version, by_scapy(**spec)[at:at + 2].hex(), "ffff")
        same("IPv%d, a sum of 0 is sent as ffff" % version, [spec], "flag UDPCSUM", "pkt_size 100",
             "udp_src_min %d" % port, "udp_src_max %d" % port, *addresses)


def copies():
    """Bursts and clones send one skb again: the card must be asked for its checksum each time."""
    for lines, seqs in ((("burst 3",), (1, 1, 1, 4, 4)), (("clone_skb 2",), (1, 1, 3, 3, 5))):
        specs = [dict(IP[6][1], size=333, seq=seq) for seq in seqs]
        same("%s over IPv6" % lines[0], specs, "pkt_size 333", "frags 2", *V6, *lines)


dev = find_card()
ok("the card sums up", bool(re.search("^tx-checksumming: on", sh("ethtool -k " + dev), re.M)), sh("ethtool -k " + dev))
same("no checksum over IPv4", series({"size": 60}), "pkt_size 60", *V4)
sums("on")
zeros()
copies()
same("queue_xmit", series(dict(IP[6][1], size=200)), "xmit_mode queue_xmit", "pkt_size 200", "frags 3", *V6)
sh("ethtool -K %s tx off sg off" % dev)
same("without the card's help, IPv4", series({"size": 200, "checksum": True}), "flag UDPCSUM", "pkt_size 200", *V4)
same("without the card's help, IPv6", series(dict(IP[6][1], size=201)), "pkt_size 201", *V6)
sh("ethtool -K %s tx on sg on" % dev)
finish()
