# SPDX-License-Identifier: GPL-2.0
"""Frames of the generator, worked out here from the standards and not by its code."""
import socket
import struct

MAGIC = 0xBE9BE955


def ip_sum(header):
    """The Internet checksum, RFC 1071; 0 over a header that carries its right one."""
    total = sum(struct.unpack("!%dH" % (len(header) // 2), header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def mac(raw):
    return ":".join("%02x" % b for b in raw)


def decode(frame):
    ip = struct.unpack("!BBHHHBBH4s4s", frame[14:34])
    udp = struct.unpack("!4H", frame[34:42])
    fields = {"len": len(frame), "dmac": mac(frame[0:6]), "smac": mac(frame[6:12]), "type": frame[12:14].hex(),
              "saddr": socket.inet_ntoa(ip[8]), "daddr": socket.inet_ntoa(ip[9]), "rest": frame[58:]}
    fields.update(zip(("verihl", "tos", "iplen", "id", "frag", "ttl", "proto", "ipsum"), ip))
    fields.update(zip(("sport", "dport", "udplen", "udpsum"), udp))
    fields.update(zip(("magic", "seq", "sec", "usec"), struct.unpack("!4I", frame[42:58])))
    return fields


def fields(frames, name):
    return [decode(frame)[name] for frame in frames]


def faults(frames):
    """What is wrong with any of the frames, nothing if all are well formed."""
    wrong = []
    for frame in frames:
        f = decode(frame)
        if ip_sum(frame[14:34]):
            wrong.append("IPv4 checksum of %s" % frame.hex())
        want = {"type": "0800", "verihl": 0x45, "tos": 0, "frag": 0, "ttl": 32, "proto": 17, "udpsum": 0,
                "magic": MAGIC, "iplen": len(frame) - 14, "udplen": len(frame) - 34,
                "rest": bytes(len(frame) - 58)}
        wrong += ["%s is %s, not %s" % (k, f[k], v) for k, v in want.items() if f[k] != v]
        if f["usec"] > 999999:
            wrong.append("usec is %d" % f["usec"])
    return "\n".join(wrong)


def build(size, dmac, smac, saddr, daddr, sport, dport, ident, seq, sec=0, usec=0):
    """The whole frame that these values make."""
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, size - 14, ident, 0, 32, 17, 0,
                     socket.inet_aton(saddr), socket.inet_aton(daddr))
    ip = ip[:10] + struct.pack("!H", ip_sum(ip)) + ip[12:]
    frame = bytes.fromhex(dmac.replace(":", "")) + bytes.fromhex(smac.replace(":", "")) + b"\x08\x00" + ip
    frame += struct.pack("!4H", sport, dport, size - 34, 0) + struct.pack("!4I", MAGIC, seq, sec, usec)
    return frame + bytes(size - len(frame))


def headers(ip, tags=(), labels=()):
    """Bytes up to and with the generator header: the least that a frame has."""
    return 14 + 4 * len(tags) + 4 * len(labels) + (20 if ip == 4 else 40) + 8 + 16


def stacked(smac, dmac, tags, labels):
    """Ethernet and what lies between it and IP, for scapy. A tag: (TPID, p, cfi, id); a label: (label, tc, ttl)"""
    from scapy.contrib.mpls import MPLS
    from scapy.layers.l2 import Dot1AD, Dot1Q, Ether

    layers = [Ether(src=smac, dst=dmac)]
    for tpid, p, cfi, vid in tags:
        layers.append({0x8100: Dot1Q, 0x88a8: Dot1AD}[tpid](prio=p, id=cfi, vlan=vid))
    for i, (label, tc, ttl) in enumerate(labels):
        layers.append(MPLS(label=label, cos=tc, ttl=ttl, s=i == len(labels) - 1))
    return layers


def payload(length, seq, sec=0, usec=0):
    return struct.pack("!4I", MAGIC, seq, sec, usec) + bytes(length - 16)


_made = {}


def scapy_frame(size=0, smac="02:00:00:00:00:01", dmac="02:00:00:00:00:02", src="10.1.0.1", dst="10.1.0.2", sport=9,
                dport=9, tags=(), labels=(), tos=0, ident=0, seq=1, sec=0, usec=0, checksum=None):
    """The frame that scapy makes of these values. Size 0: the least. Checksum None: none over IPv4, a valid one over
    IPv6, as RFC 768 and RFC 8200 say; True or False: with or without it."""
    from scapy.layers.inet import IP, UDP
    from scapy.layers.inet6 import IPv6
    from scapy.packet import Raw

    version = 6 if ":" in dst else 4
    least = headers(version, tags, labels)
    if version == 4:
        ip = IP(tos=tos, id=ident, ttl=32, src=src, dst=dst)
    else:
        ip = IPv6(tc=tos, fl=0, hlim=32, src=src, dst=dst)
    if checksum is None:
        checksum = version == 6
    udp = UDP(sport=sport, dport=dport) if checksum else UDP(sport=sport, dport=dport, chksum=0)
    data = payload(max(size, least) - least + 16, seq, sec, usec)
    layers = stacked(smac, dmac, tags, labels) + [ip, udp, Raw(data)]
    # What "/" does, without a copy of all layers for each.
    for outer, inner in zip(layers, layers[1:]):
        outer.add_payload(inner)
    return bytes(layers[0])


def by_scapy(**values):
    """The frame that scapy makes of these values, see scapy_frame(). Kept, for an emulated machine is slow at it."""
    key = repr(sorted(values.items()))
    if key not in _made:
        _made[key] = scapy_frame(**values)
    return _made[key]


def difference(got, want):
    """Where two lists of frames differ, nothing if they do not."""
    if len(got) != len(want):
        return "%d frames instead of %d" % (len(got), len(want))
    for n, (g, w) in enumerate(zip(got, want)):
        if g != w:
            at = next((i for i, (a, b) in enumerate(zip(g, w)) if a != b), min(len(g), len(w)))
            from_ = max(at - 16, 0)
            return "frame %d of %d and %d bytes, from byte %d on\ngot:  %s\nwant: %s" % (
                n, len(g), len(w), from_, g[from_:at + 48].hex(), w[from_:at + 48].hex())
    return ""
