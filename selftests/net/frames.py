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
