# SPDX-License-Identifier: GPL-2.0
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# What changes from frame to frame: ranges, flows, sizes by IMIX, random tags and labels; and the priority of each skb.
import collections
import ipaddress
import json
import re
from frames import by_scapy, difference
from pgx import add_veth, equal, finish, ok, read, result, sh, start, value, wait_until
from rig import V6, catch, fresh, go


def run(count, *lines):
    return catch(count, *lines)[0]


def address(frame, which):
    """Source (0) or destination (1) of a frame without tags."""
    if frame[12:14] == b"\x86\xdd":
        at, length = 22 + 16 * which, 16
    else:
        at, length = 26 + 4 * which, 4
    return str(ipaddress.ip_address(frame[at:at + length]))


def addresses(frames, which):
    return [address(f, which) for f in frames]


def v6(number):
    return str(ipaddress.IPv6Address(number))


def walk(description, first, last, count, word="dst6"):
    """In order, both ends, from the first again; every byte of every frame."""
    low, high = int(ipaddress.IPv6Address(first)), int(ipaddress.IPv6Address(last))
    which = "dst" if word == "dst6" else "src"
    want = []
    for i in range(count):
        spec = {"src": "fd00::1", "dst": "fd00::2", which: v6(low + i % (high - low + 1)), "seq": i + 1}
        want.append(by_scapy(**spec))
    wrong = difference(run(count, *V6, "%s_min %s" % (word, first), "%s_max %s" % (word, last)), want)
    ok("IPv6 range in order, %s" % description, not wrong, wrong)


def ranges6():
    walk("across 64 bits", "::fffe:ffff:ffff:fffe:ffff", "::fffe:ffff:ffff:ffff:1", 5)
    walk("the carry into the upper half", "::ffff:ffff:ffff:fffe", "::1:0:0:0:1", 6)
    walk("the carry through 96 bits", "2001:db8:0:ffff:ffff:ffff:ffff:ffff", "2001:db8:1::", 3)
    walk("to the last address there is", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe",
         "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 5)
    walk("of one address", "fd00::7", "fd00::7", 2)
    walk("of sources, the carry into the upper half", "::ffff:ffff:ffff:ffff", "::1:0:0:0:1", 4, "src6")
    equal("IPv6 range whose last address is below the first", addresses(
        run(2, *V6, "dst6_min fd00::9", "dst6_max fd00::3"), 1), ["fd00::9"] * 2)
    equal("dst6 puts an end to the range", addresses(
        run(2, *V6, "dst6_min fd00::5", "dst6_max fd00::9", "dst6 fd00::2"), 1), ["fd00::2"] * 2)
    equal("src6 puts an end to the range", addresses(
        run(2, *V6, "src6_min fd00::5", "src6_max fd00::9", "src6 fd00::3"), 0), ["fd00::3"] * 2)
    equal("both ranges at once, each at its own pace", [(address(f, 0), address(f, 1)) for f in run(
        6, "src6_min fd00::", "src6_max fd00::1", "dst6_min fd01::", "dst6_max fd01::2")],
        [("fd00::%s" % ("1" if i % 2 else ""), "fd01::%s" % (i % 3 or "")) for i in range(6)])


def draws6():
    few = [v6(0xfffffffffffffffe + i) for i in range(4)]
    lines = V6 + ("flag IPDST_RND", "dst6_min " + few[0], "dst6_max " + few[3])
    equal("IPDST_RND across 64 bits: each address and no other", set(addresses(run(100, *lines), 1)), set(few))
    lines = V6 + ("flag IPSRC_RND", "src6_min " + few[0], "src6_max " + few[3])
    equal("IPSRC_RND across 64 bits: each address and no other", set(addresses(run(100, *lines), 0)), set(few))
    low, high = 0x20010db8 << 96, (0x20010db8 << 96 | (1 << 96) - 1) - 5
    got = [int(ipaddress.ip_address(a)) for a in addresses(
        run(100, *V6, "flag IPDST_RND", "dst6_min " + v6(low), "dst6_max " + v6(high)), 1)]
    ok("IPDST_RND over 96 bits stays within", all(low <= a <= high for a in got), got)
    ones, zeros = 0, (1 << 128) - 1
    for a in got:
        ones |= a
        zeros &= a
    equal("and changes every bit", (ones ^ zeros) & (1 << 96) - 1, (1 << 96) - 1)
    # 256 addresses, 2^64, and 256 again
    low, high = 0xffffffffffffff00, (2 << 64) | 0xff
    got = [int(ipaddress.ip_address(a)) for a in addresses(
        run(100, *V6, "flag IPDST_RND", "dst6_min " + v6(low), "dst6_max " + v6(high)), 1)]
    ok("IPDST_RND with ends amid a word stays within", all(low <= a <= high for a in got), [v6(a) for a in got])
    uppers = collections.Counter(a >> 64 for a in got)
    ok("and takes from each word as it has addresses", uppers[1] > 95, uppers)


def ranges4():
    for door in ("start_xmit", "queue_xmit", "netif_receive"):
        want = [by_scapy(src="10.0.0.%d" % (1 + i % 2), dst="10.255.255.%d" % (253 + i) if i < 3 else "11.0.0.0",
                         sport=65534 + i % 2, dport=100 + i % 3, ident=i, seq=i + 1) for i in range(4)]
        wrong = difference(run(4, "xmit_mode " + door, "src_min 10.0.0.1", "src_max 10.0.0.2", "dst_min 10.255.255.253",
                               "dst_max 11.0.0.0", "udp_src_min 65534", "udp_src_max 65535", "udp_dst_min 100",
                               "udp_dst_max 102"), want)
        ok("all ranges of IPv4 together, " + door, not wrong, wrong)


def macs():
    want = [by_scapy(src="fd00::1", dst="fd00::2", smac="02:00:00:00:0%d:%02x" % (i > 0, 255 + i & 255),
                     dmac="02:00:00:ff:ff:ff" if not i % 2 else "02:00:01:00:00:00", seq=i + 1) for i in range(3)]
    wrong = difference(run(3, *V6, "src_mac 02:00:00:00:00:ff", "src_mac_count 3", "dst_mac 02:00:00:ff:ff:ff",
                           "dst_mac_count 2"), want)
    ok("MAC ranges over IPv6 carry", not wrong, wrong)


def local6():
    """Without src6 the device's own address serves."""
    sh("sysctl -qw net.ipv6.conf.v0.disable_ipv6=0 net.ipv6.conf.v0.accept_dad=0; ip -6 addr flush dev v0")
    sh("ip -6 addr add fe80::1234/64 dev v0 nodad")
    equal("IPv6 source: the link-local address of the device", addresses(run(2, "dst6 fd00::2"), 0), ["fe80::1234"] * 2)
    sh("sysctl -qw net.ipv6.conf.v0.disable_ipv6=1")


def flows_begun():
    return int(re.search(r"Current:.*?flows: (\d+)", read("v0"), re.S)[1])


def flow_order():
    """FLOW_SEQ: flowlen packets to one destination, then the next."""
    want = [i // 3 % 4 for i in range(30)]
    for low, lines in (("10.0.0.1", ("dst_min 10.0.0.1", "dst_max 10.0.0.4")),
                       ("fd00::1", ("src6 fd00::9", "dst6_min fd00::1", "dst6_max fd00::4"))):
        got = addresses(run(30, "flag FLOW_SEQ", "flows 2", "flowlen 3", *lines), 1)
        first = ipaddress.ip_address(low)
        equal("FLOW_SEQ, %s and on" % low, got, [str(first + n) for n in want])
        equal("flows made", value("v0", "flows:"), "2")
        equal("flows begun by 30 packets of 3 each", flows_begun(), 10)
    equal("flowlen 0 acts like 1", addresses(run(5, "flag FLOW_SEQ", "flows 2", "flowlen 0", "dst_min 10.0.0.1",
                                                 "dst_max 10.0.0.3"), 1), ["10.0.0.%d" % i for i in (1, 2, 3, 1, 2)])
    got = run(6, "flag FLOW_SEQ", "flows 2", "flowlen 2", "dst_min 10.0.0.1", "dst_max 10.0.0.9", "udp_src_min 5",
              "udp_src_max 7")
    want = [by_scapy(src="0.0.0.0", dst="10.0.0.%d" % (1 + i // 2), sport=5 + i % 3, ident=i, seq=i + 1)
            for i in range(6)]
    wrong = difference(got, want)
    ok("flows bind the destination and no other value", not wrong, wrong)


def alive(sequence, flowlen):
    """The most flows that had begun and not ended at one time; each one's whole count."""
    seen, under_way, most = collections.Counter(), set(), 0
    for dst in sequence:
        seen[dst] += 1
        under_way.add(dst)
        if seen[dst] >= flowlen:
            under_way.remove(dst)
        most = max(most, len(under_way))
    return most, seen


def flow_random():
    for name, lines in (("IPv4", ("dst_min 10.0.0.1", "dst_max 10.1.0.0")),
                        ("IPv6", ("src6 fd00::9", "dst6_min fd00::1", "dst6_max fd00::ffff"))):
        got = addresses(run(300, "flows 8", "flowlen 5", *lines), 1)
        most, seen = alive(got, 5)
        ok("%s: at most 8 flows at a time" % name, most <= 8, most)
        equal("%s: none of more than 5 packets" % name, max(seen.values()), 5)
        open_ones = [n for n in seen.values() if n < 5]
        ok("%s: all but the last ones of exactly 5" % name, len(open_ones) <= 8, seen)
        ok("%s: the choice is random" % name, sum(a == b for a, b in zip(got, got[1:])) < 150, got[:40])
        ok("%s: and begins at the first address" % name, sorted(seen, key=ipaddress.ip_address)[:8] ==
           [str(ipaddress.ip_address("10.0.0.1" if name == "IPv4" else "fd00::1") + i) for i in range(8)], seen)
        equal("%s: flows begun" % name, flows_begun(), len(seen))
    got = addresses(run(200, "flows 1", "flowlen 4", "dst_min 10.0.0.1", "dst_max 10.0.0.9"), 1)
    equal("one flow at random is in order", got, ["10.0.0.%d" % (1 + i // 4 % 9) for i in range(200)])


def imix(description, text, cycles, *lines):
    pairs = [tuple(map(int, p.split(","))) for p in text.split()]
    cycle = sum(weight for _, weight in pairs)
    got = run(cycle * cycles, "imix_weights " + text, *lines)
    want = collections.Counter()
    for size, weight in pairs:
        want[size] += weight
    sizes = [len(f) for f in got]
    equal("%s: exact in each of %d cycles" % (description, cycles),
          [collections.Counter(sizes[i * cycle:(i + 1) * cycle]) for i in range(cycles)], [want] * cycles)
    if re.search("imix_size_counts: (.*)", read("v0")):
        counts = [tuple(map(int, p.split(","))) for p in re.search("imix_size_counts: (.*)", read("v0"))[1].split()]
        equal("%s: and counted so" % description, counts, [(size, weight * cycles) for size, weight in pairs])
    else:
        ok("%s: and counted" % description, False, read("v0"))
    return got


def imixes():
    got = imix("IMIX", "64,7 576,4 1514,1", 3)
    wrong = difference(got, [by_scapy(size=len(f), src="0.0.0.0", dst="0.0.0.0", ident=i, seq=i + 1)
                             for i, f in enumerate(got)])
    ok("IMIX: every byte", not wrong, wrong)
    bytes_ = 3 * (64 * 7 + 576 * 4 + 1514)
    us = int(re.search(r"OK: (\d+)\(", result("v0"))[1])
    bps = int(re.search(r"\((\d+)bps\)", result("v0"))[1])
    ok("IMIX: bits per second count what was sent", abs(bps * us / 1e6 / 8 / bytes_ - 1) < 0.02, result("v0"))
    longest = max(len(g) for g in re.findall("7+", "".join("7" if len(f) == 64 else "." for f in got)))
    ok("IMIX: sizes are spread, not in one lump", longest < 7, [len(f) for f in got])
    imix("IMIX of unlike weights", "64,1 576,1 1500,1000", 1)
    imix("IMIX of one size", "100,3", 2)
    imix("IMIX of 20 sizes", " ".join("%d,%d" % (100 + i, 1 + i % 3) for i in range(20)), 2)
    got = imix("IMIX over IPv6 with tags", "100,2 1514,1", 2, *V6, "vlan_id 5", "svlan_id 6")
    spec = dict(src="fd00::1", dst="fd00::2", tags=[(0x8100, 0, 0, 6), (0x8100, 0, 0, 5)])
    wrong = difference(got, [by_scapy(size=len(f), seq=i + 1, **spec) for i, f in enumerate(got)])
    ok("IMIX over IPv6 with tags: every byte", not wrong, wrong)
    got = run(7, "xmit_mode netif_receive", "imix_weights 64,2 128,1")
    equal("IMIX that ends within a cycle", len(got), 7)
    fresh("count 12", "imix_weights 64,7 576,4 1514,1")
    start()
    start()
    equal("IMIX counts begin anew with each run", re.search("imix_size_counts: (.*?) *\n", read("v0"))[1],
          "64,7 576,4 1514,1")
    fresh("count 4", "imix_weights 64,7 576,4 1514,1", "imix_weights none", "pkt_size 99")
    equal("IMIX off", [len(f) for f in go(4)[0]], [99] * 4)


def both_values(numbers, bits):
    """The bits that were 0 in one number and 1 in another."""
    ones, all_ones = 0, (1 << bits) - 1
    for n in numbers:
        ones |= n
        all_ones &= n
    return ones & ~all_ones


def labels(frame, count):
    return [int.from_bytes(frame[14 + 4 * i:18 + 4 * i], "big") for i in range(count)]


def label_draws():
    # Words 1 and 3 have the bit 0x100, which makes them random.
    got = run(100, "dst 10.0.0.1", "mpls 00000b40,abcde620,00001f01")
    stacks = [labels(f, 3) for f in got]
    equal("MPLS_RND: listed", "MPLS_RND" in read("v0"), True)
    for i, (tc, ttl) in ((0, (5, 0x40)), (2, (7, 0x01))):
        equal("MPLS_RND: all 20 bits of label %d" % (i + 1), both_values([s[i] >> 12 for s in stacks], 20), 0xfffff)
        equal("MPLS_RND: TC and TTL of label %d stay" % (i + 1), {(s[i] >> 9 & 7, s[i] & 0xff) for s in stacks},
              {(tc, ttl)})
    equal("MPLS_RND: a word without the bit stays", {s[1] >> 12 for s in stacks}, {0xabcde})
    equal("MPLS_RND: only the last ends the stack", {tuple(w >> 8 & 1 for w in s) for s in stacks}, {(0, 0, 1)})
    ok("MPLS_RND: labels are drawn one by one", sum(s[0] >> 12 == s[2] >> 12 for s in stacks) < 5, stacks[:9])
    want = [by_scapy(src="0.0.0.0", dst="10.0.0.1", ident=i, seq=i + 1,
                     labels=[(w >> 12, w >> 9 & 7, w & 255) for w in s]) for i, s in enumerate(stacks[:20])]
    wrong = difference(got[:20], want)
    ok("MPLS_RND: all else as ever", not wrong, wrong)
    got = run(100, *V6, "mpls " + ",".join(["00000101"] * 16))
    stacks = [labels(f, 16) for f in got]
    equal("MPLS_RND on 16 labels: all 20 bits of each",
          [both_values([s[i] >> 12 for s in stacks], 20) for i in range(16)], [0xfffff] * 16)
    equal("MPLS_RND on 16 labels: only the last ends the stack", {tuple(w >> 8 & 1 for w in s) for s in stacks},
          {(0,) * 15 + (1,)})
    got = run(20, "dst 10.0.0.1", "mpls 12345b40", "flag !MPLS_RND")
    equal("!MPLS_RND: the word as given", {labels(f, 1)[0] for f in got}, {0x12345b40})
    got = run(20, "dst 10.0.0.1", "mpls 12345a40", "flag MPLS_RND")
    equal("MPLS_RND leaves words without the bit alone", {labels(f, 1)[0] for f in got}, {0x12345b40})


def tags(frame, count):
    return [(int.from_bytes(frame[12 + 4 * i:14 + 4 * i], "big"), int.from_bytes(frame[14 + 4 * i:16 + 4 * i], "big"))
            for i in range(count)]


def tag_draws():
    single, double = ("vlan_id 77", "vlan_p 3", "vlan_cfi 1"), ("svlan_id 9", "svlan_p 6", "svlan_tpid 0x88a8")

    def ids(description, number, drawn, fixed, *lines):
        got = [tags(f, number) for f in run(100, "dst 10.0.0.1", *lines)]
        for i in drawn:
            values = [t[i][1] & 0xfff for t in got]
            ok("%s: within 1 to 4094" % description, all(1 <= v <= 4094 for v in values), values)
            equal("%s: every bit" % description, both_values(values, 12), 0xfff)
            equal("%s: TPID and priority stay" % description, {(t[i][0], t[i][1] >> 12) for t in got}, {fixed[i]})
        for i in set(range(number)) - set(drawn):
            equal("%s: the other tag stays" % description, {t[i] for t in got}, {fixed[i]})

    inner, outer = (0x8100, 7), (0x88a8, 12)
    ids("VID_RND", 1, [0], [inner], *single, "flag VID_RND")
    ids("VID_RND with QinQ", 2, [1], [(0x88a8, 0xc009), inner], *single, *double, "flag VID_RND")
    ids("SVID_RND", 2, [0], [outer, (0x8100, 0x704d)], *single, *double, "flag SVID_RND")
    ids("both", 2, [0, 1], [outer, inner], *single, *double, "flag VID_RND SVID_RND")
    wrong = difference(run(2, "dst 10.0.0.1", "flag VID_RND SVID_RND"),
                       [by_scapy(src="0.0.0.0", dst="10.0.0.1", ident=i, seq=i + 1) for i in range(2)])
    ok("VID_RND without a tag changes nothing", not wrong, wrong)


def band_packets(dev):
    """Packets of each band of a prio qdisc, by the counters of the qdiscs below it."""
    stats = json.loads(sh("tc -s -j qdisc show dev %s" % dev))
    return {q["parent"]: q["packets"] for q in stats if q.get("parent", "").startswith("1:")}


def priorities():
    sh("tc qdisc replace dev v0 root handle 1: prio bands 4 priomap 0 1 2 3 3 3 3 3 3 3 3 3 3 3 3 3")
    for band in range(1, 5):
        sh("tc qdisc add dev v0 parent 1:%d handle %d: pfifo limit 1000" % (band, band + 1))
    for priority, band in ((0, 1), (1, 2), (2, 3), (3, 4), (0x10003, 3)):
        before = band_packets("v0")
        fresh("count 25", "xmit_mode queue_xmit", "dst 10.0.0.1", "skb_priority %d" % priority)
        start()
        wait_until(2, lambda: sum(band_packets("v0").values()) - sum(before.values()) >= 25)
        after = band_packets("v0")
        equal("skb_priority %d chooses band %d" % (priority, band), {p: after[p] - before[p] for p in after},
              {"1:%d" % b: 25 * (b == band) for b in range(1, 5)})
    sh("tc qdisc del dev v0 root")
    sh("tc qdisc add dev v0 clsact; "
       "tc filter add dev v0 ingress protocol all pref 1 basic match 'meta(priority eq 7)' action ok")
    before = ingress_hits()
    for priority in (7, 6):
        fresh("count 25", "xmit_mode netif_receive", "dst 10.0.0.1", "skb_priority %d" % priority)
        start()
    equal("skb_priority on the way in", ingress_hits() - before, 25)
    sh("tc qdisc del dev v0 clsact")


def ingress_hits():
    text = sh("tc -s filter show dev v0 ingress")
    return sum(int(n) for n in re.findall(r"Sent \d+ bytes (\d+) pkt", text))


add_veth("v0", "v1")
ranges4()
ranges6()
draws6()
macs()
local6()
flow_order()
flow_random()
imixes()
label_draws()
tag_draws()
priorities()
finish()
