# SPDX-License-Identifier: GPL-2.0
# pgx: timeout 180
# Cases from practice: what is in the packets, as a receiver sees it.
import ipaddress
import socket
import struct
import time
from pgx import (SLOW, Sniffer, add_veth, anywhere, dissect, equal, finish, internet_sum, mac_of, ok, params, put,
                 result, said, sent, sh, start, write)

MAGIC = 0xBE9BE955
add_veth("v0", "v1")
V4 = ("src_min 10.1.0.1", "dst 10.1.0.2")
V6 = ("src6 fd00::1", "dst6 fd00::2")


def fresh(*lines):
    put("kpktgend_0", "rem_device_all", "add_device v0")
    put("v0", "dst_mac " + mac_of("v1"), *lines)


def packets(count, *lines):
    fresh("count %d" % count, *lines)
    return [dissect(f) for f in sent("v1", count, anywhere)]


# C47: UDP checksums

def receivers():
    """Sockets that get what is sent to the addresses of both versions, untagged and in VLAN 77."""
    sh("modprobe 8021q; sysctl -qw net.ipv6.conf.v1.disable_ipv6=0; ip addr add 10.1.0.2/24 dev v1; "
       "ip -6 addr add fd00::2/64 dev v1 nodad; ip link add link v1 name v1.77 type vlan id 77; ip link set v1.77 up; "
       "ip addr add 10.1.1.2/24 dev v1.77; ip -6 addr add fd01::2/64 dev v1.77 nodad")
    made = {}
    for version, tag, address in ((4, 0, "10.1.0.2"), (6, 0, "fd00::2"), (4, 77, "10.1.1.2"), (6, 77, "fd01::2")):
        made[version, tag] = socket.socket(socket.AF_INET if version == 4 else socket.AF_INET6, socket.SOCK_DGRAM)
        made[version, tag].bind((address, 4321))
        made[version, tag].settimeout(3 * SLOW)
    return made


def datagrams(sock, count):
    got = []
    try:
        while len(got) < count:
            got.append(sock.recv(65536))
    except socket.timeout:
        pass
    return got


def checksums(sockets):
    for offload in "on", "off":
        sh("ethtool -K v0 tx %s sg %s" % (offload, offload))
        for version in 4, 6:
            for tag in 0, 77:
                combination("C47: IPv%d%s, tx offload %s" % (version, ", VLAN" if tag else "", offload), version, tag,
                            offload, sockets[version, tag])
    sh("ethtool -K v0 tx on sg on")


def combination(title, version, tag, offload, sock):
    """All sizes, in one piece and in fragments; one line for all of them."""
    net = "10.1.%d." % (tag > 0) if version == 4 else "fd0%d::" % (tag > 0)
    lines = ("src_min %s1" if version == 4 else "src6 %s1") % net, ("dst %s2" if version == 4 else "dst6 %s2") % net
    least = (58 if version == 4 else 78) + (4 if tag else 0)
    wrong, offloaded = [], 0
    for frags in 0, 3:
        # a device without scatter-gather gets its fragments from the stack in one piece
        door = "queue_xmit" if frags and offload == "off" else "start_xmit"
        for size in 60, 61, 1514:
            fresh("flag UDPCSUM", "count 2", "xmit_mode " + door, "pkt_size %d" % size, "frags %d" % frags,
                  "udp_dst_min 4321", "udp_dst_max 4321", *lines, *(("vlan_id 77",) if tag else ()))
            sniffer = Sniffer("v1", anywhere)
            started = start()
            frames = [dissect(f) for f in sniffer.frames(2, 3)]
            sniffer.close()
            offloaded += sniffer.offloaded
            got = datagrams(sock, 2)
            want = max(size, least)
            if (started != "OK" or [f["len"] for f in frames] != [want] * 2 or not all(f["udp_good"] for f in frames)
                    or any(f["wrong"] for f in frames) or [len(d) for d in got] != [want - least + 16] * 2):
                wrong.append("%d bytes, %d frags: %s, %s, received %s\n%s" % (size, frags, started, frames,
                                                                            [len(d) for d in got], result("v0")))
    ok(title, not wrong, "\n".join(wrong))
    print("# %s: %d of 12 were left to the device" % (title, offloaded))


def port_for_zero(version):
    """The source port with which the first packet of a run sums up to zero, which is sent as ffff."""
    if version == 4:
        addresses = socket.inet_aton("10.1.0.1") + socket.inet_aton("10.1.0.2")
    else:
        addresses = ipaddress.ip_address("fd00::1").packed + ipaddress.ip_address("fd00::2").packed
    rest = struct.pack("!II4H4I", 24, 17, 0, 9, 24, 0, MAGIC, 1, 0, 0)
    return 0xFFFF - internet_sum(addresses + rest)


def zero_is_ffff():
    for offload in "on", "off":
        sh("ethtool -K v0 tx " + offload)
        for version, lines in (4, V4), (6, V6):
            port = port_for_zero(version)
            got = packets(1, "flag UDPCSUM NO_TIMESTAMP", "udp_src_min %d" % port, "udp_src_max %d" % port, *lines)
            equal("C47: IPv%d, a sum of zero is sent as ffff, tx offload %s" % (version, offload),
                  [(hex(p["udpsum"]), p["udp_good"]) for p in got], [("0xffff", True)])
    sh("ethtool -K v0 tx on")
    equal("C47: over IPv4 none is sent unless asked for", packets(1, *V4)[0]["udpsum"], 0)
    ok("C47: over IPv6 a valid one is", packets(1, *V6)[0]["udp_good"])
    equal("C47: but not with !UDPCSUM", packets(1, "flag !UDPCSUM", *V6)[0]["udpsum"], 0)


# C49: sizes

def sizes():
    for size, lines, want in ((42, V4, 58), (60, V4, 60), (60, V6, 78), (60, V4 + ("vlan_id 5", "svlan_id 6"), 66),
                              (64, V4 + ("mpls 00001000,00002000,00003000",), 70), (100, V6 + ("vlan_id 5",), 100)):
        got = packets(3, "pkt_size %d" % size, *lines)
        lines_of = result("v0").splitlines()
        pps, bps = [int(word.strip("(bps)")) for word in (lines_of[1].split()[0], lines_of[1].split()[2])]
        equal("C49: %d asked for with %s: wire, result, bits per second" % (size, " ".join(lines)),
              ([p["len"] for p in got], [p["wrong"] for p in got], "(%dbyte," % want in lines_of[0], bps),
              ([want] * 3, [[]] * 3, True, pps * want * 8))
    before = params("v0"), len(sh("dmesg").splitlines())
    for text in "pkt_size 2147483647", "pkt_size 9999999999", "min_pkt_size 2147483647", "max_pkt_size 4294967295":
        ok("C49: " + text, said("v0", text).startswith("ERANGE | ERROR: " + text.split()[0]), result("v0"))
    equal("C49: nothing has changed, nothing is in the log", (params("v0"), len(sh("dmesg").splitlines())), before)
    equal("C49: stop still works", write("pgctrl", "stop"), "OK")


# C50: the shares of a mix

def shares():
    for weights, want in (("40,7 576,4 1500,1", {58: 7, 576: 4, 1500: 1}), ("64,1 576,1 1500,1000", {64: 1, 576: 1, 1500: 1000}),
                          ("100,1", {100: 1})):
        total = sum(want.values())
        rounds = 100 if total < 100 else 1
        lens = [p["len"] for p in packets(total * rounds, "imix_weights " + weights, "flag NO_TIMESTAMP")]
        equal("C50: " + weights, {n: lens.count(n) for n in set(lens)}, {n: w * rounds for n, w in want.items()})
    lens = [p["len"] for p in packets(100, "imix_weights 64,1 576,1 1500,1000")]
    ok("C50: the one that dominates does so from the beginning", lens.count(1500) >= 98, lens)
    lens = [p["len"] for p in packets(24, "imix_weights 64,6 1500,6")]
    ok("C50: sizes are spread, not sent in blocks", max(len(block) for block in "".join(
        "a" if n == 64 else "b" for n in lens).replace("ab", "a b").replace("ba", "b a").split()) <= 2, lens)


# C52: the line of flags

def flag_line():
    def flags():
        return [line for line in params("v0").splitlines() if "Flags:" in line][0].split("Flags: ")[1]
    fresh()
    equal("C52: fresh", flags(), "SHARED  ")
    put("v0", "flag FLOW_SEQ")
    equal("C52: FLOW_SEQ without flows", flags(), "SHARED  ")
    put("v0", "flows 8")
    equal("C52: FLOW_SEQ with flows", flags(), "FLOW_SEQ  SHARED  ")
    put("v0", "flag !FLOW_SEQ")
    equal("C52: the other order with flows", flags(), "FLOW_RND  SHARED  ")
    put("v0", "flows 0")
    equal("C52: and without", flags(), "SHARED  ")
    put("v0", "flag IPSEC", "spi 256", "flag UDPCSUM")
    equal("C52: IPSEC and its spi", flags(), "UDPCSUM  IPSEC  spi:256  SHARED  ")
    put("v0", "flag FLOW_SEQ", "flows 1")
    equal("C52: all of them", flags(), "UDPCSUM  FLOW_SEQ  IPSEC  spi:256  SHARED  ")
    put("v0", "spi 0")
    equal("C52: no spi", flags(), "UDPCSUM  FLOW_SEQ  IPSEC  SHARED  ")


# C53: what goes with what

def layers():
    fresh()
    put("v0", "mpls 00001040", "vlan_id 5")
    ok("C53: vlan_id turns MPLS off", "mpls:" not in params("v0") and "vlan_id: 5" in params("v0"), params("v0"))
    put("v0", "svlan_id 6", "mpls 00001040")
    ok("C53: mpls turns both tags off", "mpls: 00001040\n" in params("v0") and "vlan_id" not in params("v0"), params("v0"))
    put("v0", "vlan_id 5", "svlan_id 6", "vlan_id 4096")
    ok("C53: vlan_id above 4095 clears both", "vlan_id" not in params("v0"), params("v0"))
    got = said("v0", "svlan_id 6")
    ok("C53: svlan_id needs vlan_id", got.startswith("OK | ERROR: svlan_id") and "vlan_id" not in params("v0"), got)
    put("v0", "vlan_id 5")
    got = said("v0", "vlan_p 8")
    ok("C53: vlan_p 8 is an error that the write does not return", got.startswith("OK | ERROR: vlan_p must be 0-7")
       and "vlan_id: 5  vlan_p: 0  vlan_cfi: 0" in params("v0"), got)
    got = packets(1, "vlan_id 5", "vlan_p 7", "vlan_cfi 1", "svlan_id 6", "svlan_p 2", "pkt_size 100")
    equal("C53: both tags are in the frame, the outer one 8100", [(p["tags"], p["len"], p["wrong"]) for p in got],
          [([(0x8100, 0x4006), (0x8100, 0xF005)], 100, [])])
    got = packets(1, "mpls 00001040,00002140,fffff0ff", "flag !MPLS_RND", "pkt_size 100")
    equal("C53: three labels, the last one alone ends the stack", [([hex(w) for w in p["labels"]], p["wrong"]) for p in got],
          [(["0x1040", "0x2040", "0xfffff1ff"], [])])


# C56: the generator's header

def timestamps():
    fresh("count 3")
    now = int(time.time())
    try:
        for name, at in (("today", now), ("2039", 2180000000), ("2107", 4325000000)):
            time.clock_settime(time.CLOCK_REALTIME, at)
            got = [dissect(f) for f in sent("v1", 3, anywhere)]
            after = time.time()
            good = len(got) == 3 and all(p["magic"] == MAGIC and p["usec"] < 1000000
                                         and at <= p["sec"] + (at >> 32 << 32) <= after + 1 for p in got)
            ok("C56: %s, seconds as 32 bits, microseconds below a million" % name, good, got)
            stamps = [(p["sec"], p["usec"]) for p in got]
            ok("C56: %s, they only grow" % name, stamps == sorted(stamps), stamps)
    finally:
        time.clock_settime(time.CLOCK_REALTIME, now + 5)
    equal("C56: numbers", [p["seq"] for p in got], [1, 2, 3])
    got = packets(2, "flag NO_TIMESTAMP")
    equal("C56: NO_TIMESTAMP", [(p["seq"], p["sec"], p["usec"]) for p in got], [(1, 0, 0), (2, 0, 0)])


SOCKETS = receivers()
checksums(SOCKETS)
for made in SOCKETS.values():
    made.close()
zero_is_ffff()
sizes()
shares()
flag_line()
layers()
timestamps()
write("pgctrl", "reset")
sh("ip link del v1.77")
finish()
