# SPDX-License-Identifier: GPL-2.0
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# Whole frames, byte for byte as scapy builds them: every stack of layers, at every size, through each door.
import random
from frames import by_scapy, difference, headers
from pgx import add_veth, finish, ok, result, sh, value
from rig import IP, QINQ, STACKS, V4, V6, VLAN, catch, same, series

SIXTEEN = [(0xfffff - i * 0x1234, i % 8, 255 - i) for i in range(16)]


def words(labels):
    """The mpls command of these labels, without the bit that ends the stack: it has to be right by itself."""
    return "mpls " + ",".join("%08x" % (label << 12 | tc << 9 | ttl) for label, tc, ttl in labels)


def mpls(*labels):
    return (words(labels),), {"labels": labels}


LAYERS = dict(STACKS, **{
    "VLAN 0": (("vlan_id 0", "vlan_p 7"), {"tags": [(0x8100, 7, 0, 0)]}),
    "VLAN 4095": (("vlan_id 4095",), {"tags": [(0x8100, 0, 0, 4095)]}),
    "QinQ 8100": (("vlan_id 77", "svlan_id 3000", "svlan_p 5", "svlan_cfi 1"),
                  {"tags": [(0x8100, 5, 1, 3000), (0x8100, 0, 0, 77)]}),
    "MPLS": mpls((16, 0, 64)),
    "MPLS of 3": mpls((0xabcde, 7, 1), (16, 0, 64), (0xfffff, 5, 255)),
    "MPLS of 16": mpls(*SIXTEEN),
})
DOORS = ("start_xmit", "queue_xmit", "netif_receive")


def stacks():
    for version, (addresses, ip) in IP.items():
        for name, (lines, layers) in LAYERS.items():
            yield "IPv%d, %s" % (version, name), addresses + lines, dict(ip, **layers)


def least(spec):
    return headers(6 if ":" in spec["dst"] else 4, spec.get("tags", ()), spec.get("labels", ()))


def sizes():
    """The door of veth, at the least size, one more, and the largest. Too small a size becomes the least."""
    for name, lines, spec in stacks():
        low = least(spec)
        for asked, size, count in ((42, low, 1), (low + 1, low + 1, 1), (1514, 1514, 2)):
            same("%s, pkt_size %d" % (name, asked), series(dict(spec, size=size), count), "pkt_size %d" % asked, *lines)
            ok("and the result says so", "(%dbyte," % size in result("v0"), result("v0"))
            ok("and the listing", value("v0", "min_pkt_size:") == str(size), value("v0", "min_pkt_size:"))


def doors():
    for door in DOORS[1:]:
        for name, lines, spec in stacks():
            same("%s, %s" % (door, name), series(dict(spec, size=200), 1), "xmit_mode " + door, "pkt_size 200", *lines)


def bursts():
    """The copies of a burst on the way in keep their tags and checksum, whatever the stack did to the one before."""
    for name, lines, spec in stacks():
        specs = [dict(spec, seq=1 + i // 3 * 3, ident=i // 3) for i in range(5)]
        same("netif_receive in bursts of 3, %s" % name, specs, "xmit_mode netif_receive", "burst 3", *lines)


def class_bytes():
    for tos in (0x01, 0xb8, 0xff):
        same("tos %02x" % tos, series(dict(tos=tos), 1), "tos %02x" % tos, *V4)
        same("traffic_class %02x" % tos, series(dict(IP[6][1], tos=tos), 1), "traffic_class %02x" % tos, *V6)
    same("tos leaves IPv6 alone", series(IP[6][1]), "tos ff", *V6)
    same("traffic_class leaves IPv4 alone", series({}), "traffic_class ff", *V4)


def changes():
    """What is set last counts: tags and labels put each other out, IPv6 can be left again."""
    tags, labels = VLAN, LAYERS["MPLS of 3"]
    same("labels after tags", series(labels[1]), *V4, *tags[0], *labels[0])
    same("tags after labels", series(tags[1]), *V4, *labels[0], *tags[0])
    same("mpls 0", series({}), *V4, *labels[0], "mpls 0")
    same("vlan_id 4096 takes both tags off", series({}), *V4, *QINQ[0], "vlan_id 4096")
    same("svlan_id without vlan_id", series({}), *V4, "svlan_id 5")
    same("the bit that ends the stack is not the user's", series(dict(labels=[(1, 0, 5), (2, 0, 6)])), *V4,
         "flag !MPLS_RND", "mpls 00001105,00002006", "flag !MPLS_RND")
    same("one digit of an mpls word", series(dict(labels=[(0, 0, 1)])), *V4, "mpls 1")
    same("flag !IPV6", series({}), *V4, *V6, "flag !IPV6")


def mixtures():
    """Settings drawn together, the same ones each time."""
    draw = random.Random(3)
    everything = list(stacks())
    for n in range(30):
        name, lines, spec = draw.choice(everything)
        low, v6 = least(spec), ":" in spec["dst"]
        tos, sport, dport = draw.randrange(256), draw.randrange(65536), draw.randrange(65536)
        size = draw.randint(low, 1514)
        frags, checksum = draw.randint(0, 17), draw.choice((False, True))
        door = draw.choice(DOORS)
        lines += ("pkt_size %d" % size, "%s %02x" % ("traffic_class" if v6 else "tos", tos),
                  "udp_src_min %d" % sport, "udp_src_max %d" % sport, "udp_dst_min %d" % dport,
                  "udp_dst_max %d" % dport, "frags %d" % frags, "flag %sUDPCSUM" % ("" if checksum else "!"),
                  "xmit_mode " + door)
        what = "%s, %d bytes, %d frags, %schecksum, %s" % (name, size, frags, "" if checksum else "no ", door)
        values = dict(spec, size=size, tos=tos, sport=sport, dport=dport, checksum=checksum)
        same("mixture %d: %s" % (n, what), series(values, 1), *lines)


def stamps():
    """The time in the header, where the headers before it are longest."""
    for name, lines, spec in (("IPv4", V4, IP[4][1]), ("IPv6, MPLS of 16", V6 + LAYERS["MPLS of 16"][0],
                                                  dict(IP[6][1], **LAYERS["MPLS of 16"][1]))):
        before = int(sh("date +%s"))
        got, _ = catch(1, "flag !NO_TIMESTAMP", *lines)
        at = least(spec) - 8
        sec, usec = int.from_bytes(got[0][at:at + 4], "big"), int.from_bytes(got[0][at + 4:at + 8], "big")
        ok("%s: time of day" % name, before <= sec <= int(sh("date +%s")) and usec < 1000000, (before, sec, usec))
        wrong = difference(got, [by_scapy(**dict(spec, sec=sec, usec=usec))])
        ok("%s: and all the rest" % name, not wrong, wrong)


add_veth("v0", "v1")
sizes()
doors()
bursts()
class_bytes()
changes()
mixtures()
stamps()
finish()
