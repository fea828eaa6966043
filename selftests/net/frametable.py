# SPDX-License-Identifier: GPL-2.0
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# pgx: slow
# The table of frames in Documentation/frames.rst: tshark decodes what each of its rows sends.
#
#   frametable.py          the test, in the guest
#   frametable.py --rst    print the document; redirect it to Documentation/frames.rst after a change of ROWS
import os
import struct
import subprocess
import sys
import tempfile
from frames import by_scapy, difference, headers

HERE = os.path.dirname(os.path.realpath(__file__))
RST = os.path.join(HERE, "../../Documentation/frames.rst")
V4 = {"src": "10.1.0.1", "dst": "10.1.0.2"}
V6 = {"src": "fd00::1", "dst": "fd00::2"}
AD, Q = 0x88a8, 0x8100


class Row:
    """What a row writes, and the frames that have to come of it."""

    def __init__(self, text, pieces=0, each=None, **spec):
        self.lines = [line.strip() for line in text.split(";")]
        v6 = any(line.startswith("dst6") for line in self.lines)
        self.spec = dict(V6 if v6 else V4, **spec)
        self.version = 6 if v6 else 4
        self.pieces = pieces
        self.specs = [dict(self.spec, **change, ident=i, seq=i + 1) for i, change in enumerate(each or [{}])]
        self.least = headers(self.version, self.spec.get("tags", ()), self.spec.get("labels", ()))
        self.sizes = [max(s.get("size", 0), self.least) for s in self.specs]

    def commands(self):
        count = ["count %d" % len(self.specs)] if len(self.specs) > 1 else []
        return self.lines + count

    def writes(self):
        """Commands with those that the document says of rows alike; fresh() has more."""
        if self.version == 6:
            return ["src6 fd00::1"] + self.lines
        destination = [] if any(line.startswith("dst") for line in self.lines) else ["dst 10.1.0.2"]
        return ["src_min 10.1.0.1"] + destination + self.lines

    def layers(self):
        names = ["Ethernet"]
        names += ["802.1ad" if tpid == AD else "802.1Q" for tpid, *_ in self.spec.get("tags", ())]
        labels = len(self.spec.get("labels", ()))
        names += ["MPLS" if labels == 1 else "MPLS x %d" % labels] if labels else []
        return " / ".join(names + ["IPv%d" % self.version, "UDP", "pktgen"])

    def bytes(self):
        return ", ".join(map(str, self.sizes)) if len(set(self.sizes)) > 1 else str(self.sizes[0])

    def protocols(self, size):
        """tshark's frame.protocols."""
        names = ["eth", "ethertype"]
        for tpid, *_ in self.spec.get("tags", ()):
            names += ["ieee8021ad" if tpid == AD else "vlan", "ethertype"]
        names += ["mpls"] if self.spec.get("labels") else []
        names += ["ip" if self.version == 4 else "ipv6", "udp", "pktgen"]
        return ":".join(names + (["data"] if size > self.least else []))

    def fields(self, spec, size):
        """What tshark has to find in one frame: field and value."""
        v6 = self.version == 6
        tags = spec.get("tags", ())
        labels = spec.get("labels", ())
        summed = spec.get("checksum", v6)
        q, ad = [t for t in tags if t[0] == Q], [t for t in tags if t[0] == AD]
        comma = ",".join
        udp = size - self.least + 24
        return {
            "frame.len": str(size),
            "frame.protocols": self.protocols(size),
            "eth.src": "02:00:00:00:00:01", "eth.dst": "02:00:00:00:00:02",
            "vlan.id": comma("%d" % t[3] for t in q), "vlan.priority": comma("%d" % t[1] for t in q),
            "ieee8021ad.id": comma("%d" % t[3] for t in ad), "ieee8021ad.priority": comma("%d" % t[1] for t in ad),
            "mpls.label": comma("%d" % w[0] for w in labels), "mpls.exp": comma("%d" % w[1] for w in labels),
            "mpls.ttl": comma("%d" % w[2] for w in labels),
            "mpls.bottom": comma("%d" % (i == len(labels) - 1) for i in range(len(labels))),
            "ip.src": "" if v6 else spec["src"], "ip.dst": "" if v6 else spec["dst"],
            "ip.dsfield": "" if v6 else "0x%02x" % spec.get("tos", 0),
            "ip.len": "" if v6 else str(udp + 20), "ip.id": "" if v6 else "0x%04x" % spec["ident"],
            "ip.ttl": "" if v6 else "32", "ip.checksum.status": "" if v6 else GOOD,
            "ipv6.src": spec["src"] if v6 else "", "ipv6.dst": spec["dst"] if v6 else "",
            "ipv6.tclass": "0x%08x" % spec.get("tos", 0) if v6 else "", "ipv6.plen": str(udp) if v6 else "",
            "ipv6.hlim": "32" if v6 else "",
            "udp.srcport": str(spec.get("sport", 9)), "udp.dstport": str(spec.get("dport", 9)),
            "udp.length": str(udp), "udp.checksum.status": GOOD if summed else ABSENT,
            "pktgen.seqnum": str(spec["seq"]),
            "_ws.expert": "", "_ws.malformed": "",
        }


GOOD, ABSENT = "1", "3"		# wireshark's epan/proto.h, PROTO_CHECKSUM_E_*


def decode(f):
    """One line from tshark's fields. The test feeds it what tshark said, the document what tshark has to say."""
    words = []
    for word, stem in (("802.1ad", "ieee8021ad."), ("802.1Q", "vlan.")):
        for vid, priority in zip(f[stem + "id"].split(","), f[stem + "priority"].split(",")):
            words += ["%s %s p%s" % (word, vid, priority)] if vid else []
    stack = list(zip(*(f["mpls." + k].split(",") for k in ("label", "exp", "ttl", "bottom"))))
    if f["mpls.label"]:
        words += ["MPLS " + " ".join("%s/%s/%s%s" % (la, tc, ttl, "S" * int(s)) for la, tc, ttl, s in stack)]
    if f["ip.src"]:
        words += ["%s > %s tos %s len %s" % (f["ip.src"], f["ip.dst"], f["ip.dsfield"], f["ip.len"])]
    else:
        words += ["%s > %s class 0x%s len %s" % (f["ipv6.src"], f["ipv6.dst"], f["ipv6.tclass"][-2:], f["ipv6.plen"])]
    checksum = {GOOD: "checksum good", ABSENT: "no checksum"}.get(f["udp.checksum.status"], "checksum bad")
    words += ["UDP %s > %s len %s, %s" % (f["udp.srcport"], f["udp.dstport"], f["udp.length"], checksum)]
    return "; ".join(words + ["seq " + f["pktgen.seqnum"]])


def decodes(row, found):
    """The first frame's line, and what of the others differs from it."""
    text = decode(found[0])
    if row.pieces:
        text += "; skb of %d fragments" % row.pieces
    if len(found) > 1:
        which = {"dst": "ip.dst" if row.version == 4 else "ipv6.dst", "sport": "udp.srcport", "size": "frame.len"}
        for key, field in which.items():
            values = [f[field] for f in found]
            if len(set(values)) > 1:
                text += "; all: %s %s" % ({"dst": "to", "sport": "from port", "size": "bytes"}[key], ", ".join(values))
    return text


def to(*numbers, v6=False):
    return [{"dst": "%s%d" % ("fd00::" if v6 else "10.1.0.", n)} for n in numbers]


def words(text):
    """Labels of an mpls command."""
    values = [int(w, 16) for w in text.split(",")]
    return {"labels": [(v >> 12, v >> 9 & 7, v & 0xff) for v in values]}


SIXTEEN = ",".join("%05x%x40" % (16 + i, i % 8 << 1) for i in range(16))
ONE, THREE = "00010040", "00010e40,00020240,00030001"
S6 = "dst6 fd00::2"

ROWS = [
    # IP version and size
    Row("pkt_size 42"),
    Row("pkt_size 60", size=60),
    Row("pkt_size 59", size=59),
    Row("pkt_size 1514", size=1514),
    Row("min_pkt_size 60; max_pkt_size 62", each=[{"size": s} for s in (60, 61, 62, 60)]),
    Row(S6 + "; pkt_size 60"),
    Row(S6 + "; pkt_size 79", size=79),
    Row(S6 + "; pkt_size 1514", size=1514),
    Row("tos b8; pkt_size 100", tos=0xb8, size=100),
    Row(S6 + "; traffic_class b8; pkt_size 100", tos=0xb8, size=100),
    Row("udp_src_min 100; udp_src_max 102", each=[{"sport": p} for p in (100, 101, 102, 100)]),
    # checksums
    Row("flag UDPCSUM; pkt_size 60", checksum=True, size=60),
    Row("flag UDPCSUM; pkt_size 61", checksum=True, size=61),
    Row("flag UDPCSUM; pkt_size 1514", checksum=True, size=1514),
    Row(S6 + "; flag UDPCSUM; pkt_size 1514", checksum=True, size=1514),
    Row("flag UDPCSUM; xmit_mode queue_xmit; pkt_size 101", checksum=True, size=101),
    Row(S6 + "; xmit_mode queue_xmit; pkt_size 101", size=101),
    # tags
    Row("vlan_id 77", tags=[(Q, 0, 0, 77)]),
    Row("vlan_id 77; vlan_p 3; pkt_size 64", tags=[(Q, 3, 0, 77)], size=64),
    Row("vlan_id 0; vlan_p 7; pkt_size 1514", tags=[(Q, 7, 0, 0)], size=1514),
    Row("vlan_id 4095; flag UDPCSUM; pkt_size 100", tags=[(Q, 0, 0, 4095)], checksum=True, size=100),
    Row(S6 + "; vlan_id 77; vlan_p 3", tags=[(Q, 3, 0, 77)]),
    Row(S6 + "; vlan_id 77; pkt_size 1514", tags=[(Q, 0, 0, 77)], size=1514),
    Row("vlan_id 77; svlan_id 5", tags=[(Q, 0, 0, 5), (Q, 0, 0, 77)]),
    Row("vlan_id 77; svlan_id 5; svlan_p 6; svlan_tpid 0x88a8", tags=[(AD, 6, 0, 5), (Q, 0, 0, 77)]),
    Row("vlan_id 77; vlan_p 1; svlan_id 5; svlan_tpid 0x88a8; flag UDPCSUM; pkt_size 1514",
        tags=[(AD, 0, 0, 5), (Q, 1, 0, 77)], checksum=True, size=1514),
    Row(S6 + "; vlan_id 77; svlan_id 5; svlan_tpid 0x88a8", tags=[(AD, 0, 0, 5), (Q, 0, 0, 77)]),
    Row(S6 + "; vlan_id 77; svlan_id 5; traffic_class 20; pkt_size 200", tags=[(Q, 0, 0, 5), (Q, 0, 0, 77)], tos=0x20,
        size=200),
    # labels
    Row("mpls " + ONE, **words(ONE)),
    Row("mpls %s; pkt_size 1514" % ONE, size=1514, **words(ONE)),
    Row("mpls %s; flag UDPCSUM; pkt_size 100" % ONE, checksum=True, size=100, **words(ONE)),
    Row("mpls " + THREE, **words(THREE)),
    Row("mpls %s; tos 10; pkt_size 300" % THREE, tos=0x10, size=300, **words(THREE)),
    Row("mpls " + SIXTEEN, **words(SIXTEEN)),
    Row(S6 + "; mpls " + ONE, **words(ONE)),
    Row(S6 + "; mpls %s; pkt_size 1514" % THREE, size=1514, **words(THREE)),
    Row(S6 + "; mpls " + SIXTEEN, **words(SIXTEEN)),
    # fragments
    Row("frags 1; pkt_size 1514", 1, size=1514),
    Row("frags 17; pkt_size 1514", 17, size=1514),
    Row("frags 17; pkt_size 60", 2, size=60),
    Row("frags 4; flag UDPCSUM; pkt_size 1001", 4, checksum=True, size=1001),
    Row("frags 3; vlan_id 77; svlan_id 5; svlan_tpid 0x88a8; pkt_size 500", 3, tags=[(AD, 0, 0, 5), (Q, 0, 0, 77)],
        size=500),
    Row("frags 3; mpls %s; pkt_size 500" % THREE, 3, size=500, **words(THREE)),
    Row(S6 + "; frags 4; pkt_size 1514", 4, size=1514),
    Row(S6 + "; frags 16; vlan_id 77; pkt_size 1001", 16, tags=[(Q, 0, 0, 77)], size=1001),
    Row(S6 + "; frags 2; mpls %s; pkt_size 1514" % ONE, 2, size=1514, **words(ONE)),
    # ranges and flows
    Row("dst_min 10.1.0.1; dst_max 10.1.0.3", each=to(1, 2, 3, 1)),
    Row("dst6_min fd00::1; dst6_max fd00::3", each=to(1, 2, 3, 1, v6=True)),
    Row("dst_min 10.1.0.1; dst_max 10.1.0.9; flows 2; flowlen 2; flag FLOW_SEQ", each=to(1, 1, 2, 2, 3, 3)),
    Row("dst6_min fd00::1; dst6_max fd00::9; flows 2; flowlen 2; flag FLOW_SEQ", each=to(1, 1, 2, 2, 3, 3, v6=True)),
    Row("dst_min 10.1.0.1; dst_max 10.1.0.9; flows 4; flowlen 3; flag FLOW_SEQ; vlan_id 77; flag UDPCSUM",
        each=to(1, 1, 1, 2), tags=[(Q, 0, 0, 77)], checksum=True),
    Row("dst6_min fd00::1; dst6_max fd00::9; flows 2; flowlen 1; flag FLOW_SEQ; mpls " + ONE, each=to(1, 2, 3, v6=True),
        **words(ONE)),
]

HEAD = """\
.. SPDX-License-Identifier: GPL-2.0
.. Printed by selftests/net/frametable.py --rst. Change the rows there, not here.

======
Frames
======

What is on the wire after each set of commands, as tshark decodes it. The case ``selftests/run.sh net/frametable`` sends
every row, compares each byte with the frame that scapy builds of the same values, and has tshark judge it, with its
checks of IP and UDP checksums switched on: no malformed layer, no bad checksum, no remark, the layers, lengths and
values that are written here. It fails when this file is not what its rows say.

Bytes are those of the frame without FCS. A label is written label/traffic class/TTL, with S on the one that ends the
stack. Besides its own commands each row has ``src_mac 02:00:00:00:00:01``, ``dst_mac 02:00:00:00:00:02``,
``flag NO_TIMESTAMP``, over IPv4 ``src_min 10.1.0.1`` and, unless a destination is given, ``dst 10.1.0.2``, over IPv6
``src6 fd00::1``; ``count 1`` unless it says otherwise.

.. list-table::
   :header-rows: 1

   * - Commands
     - Layers
     - Bytes
     - Decoded
"""


def rst():
    text = HEAD
    for row in ROWS:
        found = [row.fields(spec, size) for spec, size in zip(row.specs, row.sizes)]
        cells = (", ".join("``%s``" % c for c in row.commands()), row.layers(), row.bytes(), decodes(row, found))
        text += "".join("   %s - %s\n" % (" " if i else "*", cell) for i, cell in enumerate(cells))
    return text


def pcap(path, frames):
    """A capture file, Ethernet."""
    with open(path, "wb") as f:
        f.write(struct.pack("=IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 1 << 18, 1))
        for frame in frames:
            f.write(struct.pack("=IIII", 0, 0, len(frame), len(frame)) + frame)


def tshark(frames, names):
    """One dict of fields for each frame."""
    with tempfile.NamedTemporaryFile(suffix=".pcap") as f:
        pcap(f.name, frames)
        command = ["tshark", "-r", f.name, "-n", "-o", "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE",
                   "-T", "fields"]
        for name in names:
            command += ["-e", name]
        out = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return [dict(zip(names, line.split("\t"))) for line in out.splitlines()]


def send(row):
    """The row's frames as they come in."""
    from pgx import ok, result
    from rig import catch

    got, _ = catch(len(row.specs), *row.writes())
    wrong = difference(got, [by_scapy(**spec) for spec in row.specs])
    shape = "(%dbyte,%dfrags)" % (row.sizes[-1], row.pieces)
    if shape not in result("v0"):
        wrong += "\nno %s" % shape
    ok("%s: sent" % "; ".join(row.commands()), not wrong, wrong + "\n" + result("v0"))
    return got


def judge(row, found):
    from pgx import ok

    wrong = []
    for spec, size, fields in zip(row.specs, row.sizes, found):
        want = row.fields(spec, size)
        wrong += ["%s is '%s', not '%s'" % (k, fields.get(k), v) for k, v in want.items() if fields.get(k) != v]
    if len(found) != len(row.specs):
        wrong.append("%d frames" % len(found))
    elif not wrong and decodes(row, found) not in rst():
        wrong.append("the document has no line '%s'" % decodes(row, found))
    ok("%s: decoded" % "; ".join(row.commands()), not wrong, "\n".join(wrong))


def flawed():
    """A good frame, one with a bad checksum of UDP, one of IP, and a frame that ends amid its header."""
    good = by_scapy(size=60, checksum=True)
    wrong_udp = good[:40] + bytes([good[40] ^ 1]) + good[41:]
    wrong_ip = good[:24] + bytes([good[24] ^ 1]) + good[25:]
    return [good, wrong_udp, wrong_ip, by_scapy(size=100)[:50]]


def judge_flawed(found):
    from pgx import equal

    equal("tshark notices a bad checksum, UDP and IP, and a cut frame",
          [bool(f["_ws.expert"] or f["_ws.malformed"]) for f in found], [False, True, True, True])


def test():
    from pgx import add_veth, equal, finish, ok

    with open(RST) as f:
        ok("the document is what the rows say", f.read() == rst(), "frametable.py --rst > Documentation/frames.rst")
    ok("40 rows and more", len(ROWS) >= 40 and len({tuple(r.commands()) for r in ROWS}) == len(ROWS), len(ROWS))
    add_veth("v0", "v1")
    frames = [send(row) for row in ROWS]
    names = list(ROWS[0].fields(ROWS[0].specs[0], ROWS[0].sizes[0]))
    found = tshark(flawed() + [f for of_row in frames for f in of_row], names)
    equal("tshark has an answer to each", len(found), 4 + sum(map(len, frames)))
    judge_flawed(found[:4])
    found = found[4:]
    for row, of_row in zip(ROWS, frames):
        judge(row, found[:len(of_row)])
        found = found[len(of_row):]
    finish()


if __name__ == "__main__":
    if sys.argv[1:] == ["--rst"]:
        print(rst(), end="")
    else:
        test()
