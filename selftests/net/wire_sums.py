# SPDX-License-Identifier: GPL-2.0
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# UDP checksums, by the generator and by the device; frames in fragments: what the receiver has, and the skb's shape.
import os
import re
import struct
from frames import by_scapy, headers, ip_sum
from pgx import add_veth, equal, finish, ok, result, sh, start, value, write
from rig import IP, STACKS, V4, V6, fresh, same, series

TRACE = "/sys/kernel/tracing/"


def sums(title, offload, *more):
    """Every stack of layers at odd and even sizes; offload says who is expected to sum up, None that either may."""
    for version, (addresses, ip) in IP.items():
        for name, (lines, layers) in STACKS.items():
            for size in (0, 1513):
                spec = dict(ip, size=size, checksum=True, **layers)
                least = headers(version, layers.get("tags", ()), layers.get("labels", ()))
                what = "%s: IPv%d, %s, %d bytes" % (title, version, name, max(size, least))
                left = same(what, series(spec, 1), "flag UDPCSUM", "pkt_size %d" % max(size, least), *addresses, *lines,
                            *more)
                if offload is not None:
                    equal("%s: left to the device" % what, left, int(offload))


def has(dev, feature):
    return bool(re.search("^%s: on" % feature, sh("ethtool -k " + dev), re.M))


def defaults():
    for frags in (0, 3):
        more = ("frags %d" % frags, "pkt_size 100")
        same("IPv4 has no checksum by default, %d frags" % frags, series({"size": 100}, 1), *V4, *more)
        same("IPv4 has none with !UDPCSUM, %d frags" % frags, series({"size": 100}, 1), *V4, "flag !UDPCSUM", *more)
        spec = dict(IP[6][1], size=100)
        same("IPv6 has one by default, %d frags" % frags, series(spec, 1), *V6, *more)
        same("IPv6 has none with !UDPCSUM, %d frags" % frags, series(dict(spec, checksum=False), 1), *V6,
             "flag !UDPCSUM", *more)
        same("IPv6 has one again with UDPCSUM, %d frags" % frags, series(spec, 1), *V6, "flag !UDPCSUM",
             "flag UDPCSUM", *more)


def zero_port(version):
    """A source port with which the checksum comes to 0, and so has to be sent as ffff."""
    frame = by_scapy(sport=0, checksum=False, **IP[version][1])
    udp = frame[14 + (20 if version == 4 else 40):]
    addresses = frame[26:34] if version == 4 else frame[22:54]
    return ip_sum(addresses + struct.pack("!HH", 17, len(udp)) + udp)


def zeros():
    for version, (addresses, ip) in IP.items():
        port = zero_port(version)
        spec = dict(ip, sport=port, checksum=True)
        equal("IPv%d: scapy's frame has ffff" % version, by_scapy(**spec)[-18:-16].hex(), "ffff")
        lines = addresses + ("flag UDPCSUM", "udp_src_min %d" % port, "udp_src_max %d" % port)
        for who in ("on", "off"):
            sh("ethtool -K v0 tx %s" % who)
            for door in ("start_xmit", "queue_xmit", "netif_receive"):
                same("IPv%d, a sum of 0 is sent as ffff, device's checksum %s, %s" % (version, who, door), [spec],
                     "xmit_mode " + door, *lines)
        sh("ethtool -K v0 tx on")


class Trace:
    """skbs that devices are handed, as the kernel's tracepoints show them. On for as long as it lives, for each switch
    of a tracepoint changes code that the other CPU runs, which an emulated one does not always survive."""

    EVENTS = "net/netif_rx_entry", "net/netif_receive_skb_entry"

    def __init__(self):
        self.set("options/record-cmd", "0")
        self.switch("1")

    def set(self, name, text):
        with open(os.path.join(TRACE, name), "w") as f:
            f.write(text)

    def switch(self, state):
        for event in self.EVENTS:
            self.set("events/%s/enable" % event, state)

    def clear(self):
        self.set("trace", "")

    def skbs(self, event, dev):
        with open(TRACE + "trace") as f:
            lines = [line for line in f if " %s: " % event in line and "dev=%s " % dev in line]
        return [{k: int(v, 16 if v[:2] == "0x" else 10) for k, v in re.findall(r"\b(\w+)=(0x[0-9a-f]+|\d+)\b", line)}
                for line in lines]


def fragments(frags, size, door="start_xmit", version=4, stack="plain", *more):
    addresses, ip = IP[version]
    lines, layers = STACKS[stack]
    spare = size - headers(version, layers.get("tags", ()), layers.get("labels", ()))
    want = min(frags, 17, spare)
    what = "%s, IPv%d, %s, %d bytes, frags %d" % (door, version, stack, size, frags)
    event, dev = ("netif_receive_skb_entry", "v0") if door == "netif_receive" else ("netif_rx_entry", "v1")
    trace.clear()
    same(what, series(dict(ip, size=size, **layers), 1), "frags %d" % frags, "pkt_size %d" % size,
         "xmit_mode " + door, *addresses, *lines, *more)
    skbs = trace.skbs(event, dev)
    ok(what + ": the result", "(%dbyte,%dfrags)" % (size, want) in result("v0"), result("v0"))
    equal(what + ": each skb", [s["nr_frags"] for s in skbs], [want])
    ok(what + ": none is empty", all(s["nr_frags"] <= s["data_len"] <= spare for s in skbs), skbs)
    outer = {4: 0x0800, 6: 0x86dd}[version]
    outer = 0x8847 if "labels" in layers else layers["tags"][0][0] if "tags" in layers else outer
    equal(what + ": tags lie in the frame and not beside it", [(s["vlan_tagged"], s["protocol"]) for s in skbs],
          [(0, outer)])
    # struct sk_buff and skb_shared_info alone are more than 400 bytes
    ok(what + ": truesize", all(s["truesize"] >= size + 400 for s in skbs), skbs)


def frags():
    for n in (0, 1, 2, 3, 16, 17):
        fragments(n, 1514)
    for spare in (0, 1, 2, 16, 17, 18):
        fragments(17, 58 + spare)
    fragments(3, 58 + 7)
    fragments(5, 1514, "start_xmit", 6, "QinQ")
    fragments(17, 300, "queue_xmit", 4, "MPLS of 2")
    fragments(4, 600, "queue_xmit", 6, "VLAN")
    fragments(17, 1514, "netif_receive")
    fragments(2, 100, "netif_receive", 6, "MPLS of 2")
    sh("ip link set v0 mtu 9000; ip link set v1 mtu 9000")
    for n in (0, 1, 3, 17):
        fragments(n, 9014)
    fragments(17, 65549, "netif_receive")
    fragments(0, 65549, "netif_receive")
    for version in IP:
        spec = dict(IP[version][1], size=9001, checksum=True)
        for who in ("on", "off"):
            sh("ethtool -K v0 tx %s" % who)
            if has("v0", "scatter-gather"):
                same("checksum over fragments, IPv%d, device's checksum %s" % (version, who), series(spec),
                     "flag UDPCSUM", "frags 7", "pkt_size 9001", *IP[version][0])
            same("checksum over fragments, IPv%d, netif_receive, device's checksum %s" % (version, who), series(spec),
                 "xmit_mode netif_receive", "flag UDPCSUM", "frags 7", "pkt_size 9001", *IP[version][0])
        sh("ethtool -K v0 tx on sg on")


def no_scatter_gather():
    sh("ethtool -K v0 sg off")
    fresh("count 3", "pkt_size 600", *V4)
    refused = write("v0", "frags 4") != "OK" or start() != "OK" or "ERROR" in result("v0")
    ok("no scatter-gather, start_xmit: frags refused", refused and "ERROR" in result("v0"), result("v0"))
    sent_ = value("v0", "pkts-sofar:")
    equal("and nothing sent in pieces", sent_, "0")
    for door in ("queue_xmit", "netif_receive"):
        same("no scatter-gather, " + door, series({"size": 600}, 1), "xmit_mode " + door, "frags 4", "pkt_size 600",
             *V4)
    sh("ethtool -K v0 sg on")


add_veth("v0", "v1")
defaults()
sums("by the device", True)
sums("by queue_xmit", None, "xmit_mode queue_xmit")
sums("on the way in", False, "xmit_mode netif_receive")
sh("ethtool -K v0 tx off")
sums("by the generator", False)
sh("ethtool -K v0 tx on")
zeros()
trace = Trace()
frags()
trace.switch("0")
no_scatter_gather()
finish()
