# SPDX-License-Identifier: GPL-2.0
# Every byte of every kind of frame, on a kernel whose fresh memory is full of poison: a byte that nobody wrote would be
# seen as 5a, 6b or aa. The wire cases compare the same bytes where the kernel zeroes what it hands out.
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# pgx: slow
# pgx: timeout 400
# pgx: append init_on_alloc=0 init_on_free=0 slub_debug=P page_poison=1
import struct
import time
from frames import by_scapy, difference, headers, ip_sum
from pgx import add_veth, anywhere, equal, finish, later, ok, put, result, sh, skip_case
from rig import IP, STACKS, V4, Card, catch, fresh, go, series

POISON = (b"\x5a" * 4, b"\x6b" * 4, b"\xaa" * 4)
NULL = "enc 'ecb(cipher_null)' ''"

_seen = 0


def clean(description, frames, want):
    """The frames are these, and a poisoned byte is told as such."""
    global _seen
    _seen += len(frames)
    found = [p.hex() for p in POISON if any(p in frame for frame in frames)]
    wrong = difference(frames, want)
    ok(description, not wrong and not found, "%s\npoison: %s\n%s" % (wrong, found, result("v0")))


def poisoned():
    """The options have been taken."""
    with open("/proc/cmdline") as f:
        words = f.read().split()
    if "slub_debug=P" not in words:
        skip_case("the kernel was not booted for it: see '# pgx: append' in this file")
    with open("/sys/kernel/slab/kmalloc-512/poison") as f:
        equal("slabs are poisoned", f.read().strip(), "1")
    ok("and not zeroed", "heap alloc:off, heap free:off" in sh("dmesg"), sh("dmesg | grep auto-init"))


def spoil():
    """Memory that the next skbs come from has been in use, and holds what was there."""
    sh("head -c 30M /dev/urandom > /tmp/spoil; rm /tmp/spoil; ls -lR /usr/share/doc > /dev/null")


def sizes():
    for version, (addresses, ip) in IP.items():
        for name, (lines, layers) in STACKS.items():
            low = headers(version, layers.get("tags", ()), layers.get("labels", ()))
            for size in sorted({low, low + 1, 141, 142, 143, 511, 1514}):
                got, _ = catch(3, "pkt_size %d" % size, *addresses, *lines)
                specs = series(dict(ip, size=size, **layers), 3)
                clean("IPv%d, %s, %d bytes" % (version, name, size), got, [by_scapy(**s) for s in specs])


def fragments():
    for size in (58, 59, 75, 100, 1514, 9018):
        for frags in (1, 2, 17):
            got, _ = catch(2, "pkt_size %d" % size, "frags %d" % frags, *V4)
            clean("%d bytes in %d fragments" % (size, frags), got,
                  [by_scapy(**s) for s in series(dict(IP[4][1], size=size))])


def doors():
    for lines, step in ((("xmit_mode queue_xmit",), 1), (("xmit_mode netif_receive",), 1),
                        (("xmit_mode netif_receive", "burst 4"), 4), (("flag !SHARED",), 1)):
        for size, frags in ((60, 0), (777, 0), (777, 5)):
            got, _ = catch(8, "pkt_size %d" % size, "frags %d" % frags, *V4, *lines)
            specs = [dict(IP[4][1], size=size, seq=i // step * step + 1, ident=i // step) for i in range(8)]
            clean("%s, %d bytes, %d fragments" % (", ".join(lines), size, frags), got, [by_scapy(**s) for s in specs])


def mixes():
    for lines in (("imix_weights 60,2 577,1 1514,1",), ("min_pkt_size 60", "max_pkt_size 1514", "flag TXSIZE_RND"),
                  ("flows 3", "flowlen 2", "pkt_size 99"), ("flag UDPCSUM", "pkt_size 101")):
        got, _ = catch(12, *V4, *lines)
        checksum = True if "flag UDPCSUM" in lines else None
        want = [by_scapy(**dict(IP[4][1], size=len(frame), checksum=checksum, seq=i + 1, ident=i))
                for i, frame in enumerate(got)]
        clean(", ".join(lines), got, want)


def stamps():
    """The time is the one thing in a frame that tells something of the machine, unless NO_TIMESTAMP is set."""
    fresh("count 5", "flag !NO_TIMESTAMP", "pkt_size 300", *V4)
    before = int(time.time())
    got, _ = go(5)
    wrong = []
    for frame in got:
        seq, sec, usec = struct.unpack("!3I", frame[46:58])
        if not before <= sec <= time.time() or usec > 999999:
            wrong.append((sec, usec))
    equal("times are those of now", wrong, [])
    want = [by_scapy(**dict(IP[4][1], size=300, seq=i + 1, ident=i, sec=struct.unpack("!I", f[50:54])[0],
                            usec=struct.unpack("!I", f[54:58])[0])) for i, f in enumerate(got)]
    clean("and the rest is as without them", got, want)


def esp_frame(plain, seq):
    """An IPv4 frame in ESP transport mode that encrypts nothing, RFC 4303: what is padded is counted from 1."""
    ip, rest = bytearray(plain[14:34]), plain[34:]
    pad = -(len(rest) + 2) % 4
    body = struct.pack("!II", 0x1001, seq) + rest + bytes(range(1, pad + 1)) + bytes([pad, ip[9]])
    ip[2:4] = struct.pack("!H", 20 + len(body))
    ip[9] = 50
    ip[10:12] = b"\0\0"
    ip[10:12] = struct.pack("!H", ip_sum(bytes(ip)))
    return plain[:14] + bytes(ip) + body


def ipsec():
    sh("modprobe esp4; modprobe crypto_null")
    later("ip xfrm state flush")
    for size in (58, 59, 60, 61, 700, 1400):
        sh("ip xfrm state flush; ip xfrm state add src 10.1.0.1 dst 10.1.0.2 proto esp spi 0x1001 mode transport " + NULL)
        got, _ = catch(2, "flag IPSEC", "spi 4097", "pkt_size %d" % size, *V4, match=anywhere)
        specs = series(dict(IP[4][1], size=size))
        clean("ESP that encrypts nothing, %d bytes" % size, got,
              [esp_frame(by_scapy(**s), i + 1) for i, s in enumerate(specs)])


def on_card():
    """A card's driver makes short frames 60 bytes long."""
    card = Card()
    if not card.name:
        print("# no network card")
        return
    for size, frags in ((58, 0), (59, 0), (60, 0), (61, 0), (200, 3), (1514, 0), (1514, 7)):
        for lines in ((), ("flag UDPCSUM",), ("xmit_mode queue_xmit",)):
            got = card.frames(3, "pkt_size %d" % size, "frags %d" % frags, *V4, *lines)
            want = [by_scapy(**dict(spec, size=size, checksum="flag UDPCSUM" in lines)) for spec in series(IP[4][1], 3)]
            wrong = difference(got, [frame + bytes(max(60 - size, 0)) for frame in want])
            ok("card: %d bytes, %d fragments%s" % (size, frags, "".join(", " + line for line in lines)), not wrong,
               wrong + "\n" + result(card.name))


poisoned()
add_veth("v0", "v1")
sh("ip link set v0 mtu 9000; ip link set v1 mtu 9000")
spoil()
for part in sizes, fragments, doors, mixes, stamps, ipsec:
    part()
put("kpktgend_0", "rem_device_all")
on_card()
print("# %d frames were compared" % _seen)
finish()
