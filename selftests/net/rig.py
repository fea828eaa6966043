# SPDX-License-Identifier: GPL-2.0
"""For cases that compare frames: an entry set up anew, what comes in at its veth's other end, scapy's frames."""
import os
import struct
from frames import by_scapy, difference
from pgx import Sniffer, anywhere, find_card, ok, put, result, start, wait_until

SMAC, DMAC = "02:00:00:00:00:01", "02:00:00:00:00:02"
V4 = ("src_min 10.1.0.1", "dst 10.1.0.2")
V6 = ("src6 fd00::1", "dst6 fd00::2")
# Commands of an IP version, and the values that they give a frame
IP = {4: (V4, {"src": "10.1.0.1", "dst": "10.1.0.2"}), 6: (V6, {"src": "fd00::1", "dst": "fd00::2"})}
VLAN = (("vlan_id 77", "vlan_p 3", "vlan_cfi 1"), {"tags": [(0x8100, 3, 1, 77)]})
QINQ = (("vlan_id 77", "vlan_p 1", "svlan_id 3000", "svlan_p 5", "svlan_tpid 0x88a8"),
        {"tags": [(0x88a8, 5, 0, 3000), (0x8100, 1, 0, 77)]})
MPLS = (("mpls 00010040,fffffe01",), {"labels": [(16, 0, 64), (0xfffff, 7, 1)]})
STACKS = {"plain": ((), {}), "VLAN": VLAN, "QinQ": QINQ, "MPLS of 2": MPLS}

_taps = {}


def fresh(*lines, dev="v0"):
    """An entry with these settings and no others. One write for all, since each takes its time."""
    put("kpktgend_0", "rem_device_all\nadd_device " + dev)
    put(dev, "\n".join(("flag NO_TIMESTAMP", "src_mac " + SMAC, "dst_mac " + DMAC) + lines))


def tap_of(dev, match):
    """A tap is kept, for to end it takes time; not so at the sender, where it would change what is tested."""
    if dev == "v0":
        return Sniffer(dev, match)
    if dev not in _taps:
        _taps[dev] = Sniffer(dev)
    _taps[dev].match = match
    return _taps[dev]


def catch(count, *lines, match=anywhere):
    """Run anew; the frames that come in, and how many of them were left to the device to sum up."""
    fresh("count %d" % count, *lines)
    return go(count, "v0" if "xmit_mode netif_receive" in lines else "v1", match)


def go(count, dev="v1", match=anywhere):
    tap = tap_of(dev, match)
    while tap.frames(1000, 0.001):
        pass
    before = tap.offloaded
    start()
    got = tap.frames(count)
    got += tap.frames(1, 0.001)
    if dev == "v0":
        tap.close()
    if len(got) != count:
        ok("%d frames" % count, False, "%d frames, %s" % (len(got), result("v0")))
    return got, tap.offloaded - before


class Card:
    """A network card that sends to nobody. QEMU writes down each frame behind it."""

    DUMP = "/run/job/card.pcap"

    def __init__(self):
        self.name = find_card()
        if not os.path.exists(self.DUMP):
            self.name = None

    def frames(self, count, *lines):
        """Run anew; the frames that the card sent. Other ones than ours are left out."""
        fresh("count %d" % count, *lines, dev=self.name)
        at = os.stat(self.DUMP).st_size
        start()
        wait_until(5, lambda: len(self.dumped(at)) >= count)
        return self.dumped(at)

    def dumped(self, at):
        ours = bytes.fromhex((DMAC + SMAC).replace(":", ""))
        found = []
        with open(self.DUMP, "rb") as f:
            data = f.read()[at:]
        while len(data) >= 16:
            length = struct.unpack("=I", data[8:12])[0]
            frame, data = data[16:16 + length], data[16 + length:]
            if len(frame) == length and frame.startswith(ours):
                found.append(frame)
        return found


def same(description, specs, *lines):
    """Run, and compare each byte with the frames of these values. How many were left to the device to sum up."""
    got, offloaded = catch(len(specs), *lines)
    wrong = difference(got, [by_scapy(**spec) for spec in specs])
    ok(description, not wrong, wrong + "\n" + result("v0"))
    return offloaded


def series(spec, count=2):
    """Values of frames that follow one another."""
    return [dict(spec, seq=i + 1, ident=i) for i in range(count)]
