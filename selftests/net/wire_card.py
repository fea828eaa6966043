# SPDX-License-Identifier: GPL-2.0
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# What a network card puts on the wire: its own checksums, frames from fragments. QEMU writes each frame down behind it.
import re
import struct
from frames import by_scapy, difference
from pgx import equal, finish, ok, result, sh, skip_case
from rig import IP, STACKS, V4, V6, Card, series


def same(description, specs, *lines):
    got = card.frames(len(specs), *lines)
    wrong = difference(got, [by_scapy(**s) for s in specs])
    ok(description, not wrong, wrong + "\n" + result(card.name))


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


card = Card()
if not card.name:
    skip_case("there is no network card that this kernel has the driver of, or nobody writes down what it sends")
dev = card.name
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
