# SPDX-License-Identifier: GPL-2.0
# pgx: timeout 240
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls scapy.layers.ipsec
# IPsec: scapy, and the kernel of another namespace, decrypt what is sent and have to find the frame that was asked for.
import hmac
import re
import struct
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.layers.ipsec import AH, ESP, SecurityAssociation
from frames import by_scapy, difference, headers, ip_sum
from pgx import add_veth, equal, finish, later, number, ok, put, result, sh, start, value, wait_until
from rig import IP as IN
from rig import QINQ, V4, catch, fresh

KEY, SALT, AUTH = bytes(range(1, 17)), bytes(range(200, 204)), bytes(range(50, 82))
CBC = ("enc 'cbc(aes)' 0x%s auth-trunc 'hmac(sha256)' 0x%s 128" % (KEY.hex(), AUTH.hex()),
       {"crypt_algo": "AES-CBC", "crypt_key": KEY, "auth_algo": "SHA2-256-128", "auth_key": AUTH})
GCM = ("aead 'rfc4106(gcm(aes))' 0x%s 128" % (KEY + SALT).hex(), {"crypt_algo": "AES-GCM", "crypt_key": KEY + SALT})
SHA = ("auth-trunc 'hmac(sha256)' 0x%s 128" % AUTH.hex(), {"auth_algo": "SHA2-256-128", "auth_key": AUTH})
SPI = 0x1001
BY_SPI = "spi %d" % SPI
OUT = {4: ("192.0.2.1", "192.0.2.2"), 6: ("2001:db8::1", "2001:db8::2")}
HEAD = {4: IP, 6: IPv6}


def only_state(mode, algorithm, source, destination, where="", proto="esp", more=""):
    """This state and no other. One process, for each takes an emulated machine its time."""
    add = "xfrm state add src %s dst %s proto %s spi %d mode %s %s %s" % (source, destination, proto, SPI, mode,
                                                                        algorithm[0], more)
    sh("printf '%%s\\n' 'xfrm state flush' \"%s\" | ip %s -batch -" % (add, where))


def ours(frame):
    return struct.pack("!I", SPI) in frame and frame[6:12] == b"\2\0\0\0\0\1"


def outer_faults(packet, version, source, destination, tos):
    """What is wrong with the header in front of ESP."""
    head, wrong = HEAD[version](packet), []
    if version == 4:
        want = {"ihl": 5, "len": len(packet), "proto": 50, "frag": 0}
        if ip_sum(packet[:20]):
            wrong.append("IPv4 checksum")
    else:
        want = {"plen": len(packet) - 40, "nh": 50}
    want.update(version=version, src=source, dst=destination, **{"tos" if version == 4 else "tc": tos})
    return wrong + ["%s is %s, not %s" % (key, head.getfieldval(key), expected)
                    for key, expected in want.items() if head.getfieldval(key) != expected]


def esp(description, mode, algorithm, lines, spec, outer=None, count=2, more=(), by_spi=True):
    """Send; outer is the IP version of a tunnel."""
    version = 6 if ":" in spec["dst"] else 4
    source, destination = OUT[outer] if outer else (spec["src"], spec["dst"])
    only_state(mode, algorithm, source, destination)
    got, _ = catch(count, "flag IPSEC", *((BY_SPI,) if by_spi else ()), *lines, *more, match=ours)
    specs = [dict(spec, ident=i, seq=i + 1) for i in range(count)]
    want = [by_scapy(**s) for s in specs]
    at = headers(version, spec.get("tags", ()), spec.get("labels", ())) - 24 - (20 if version == 4 else 40)
    wrong = [] if len(got) == count else ["%d frames" % len(got)]
    opened = []
    for i, frame in enumerate(got):
        wrong += outer_faults(frame[at:], outer or version, source, destination, spec.get("tos", 0))
        head = HEAD[outer or version](frame[at:])
        if ESP not in head or head[ESP].seq != i + 1 or head[ESP].spi != SPI:
            wrong.append("no ESP of SPI %d and number %d: %s" % (SPI, i + 1, head.summary()))
            continue
        tunnel = HEAD[outer](src=source, dst=destination) if outer else None
        sa = SecurityAssociation(ESP, spi=SPI, tunnel_header=tunnel, **algorithm[1])
        link = frame[:at]
        if outer and outer != version and not spec.get("labels"):
            equal(description + ": ethertype of the outer header", link[-2:].hex(), "0800" if outer == 4 else "86dd")
            link = link[:-2] + (b"\x08\x00" if version == 4 else b"\x86\xdd")
        opened.append(link + bytes(sa.decrypt(head)))
    wrong += [difference(opened, want)] if not wrong else []
    ok(description, not any(wrong), "\n".join(wrong) + "\n" + result("v0"))
    if got:
        ok(description + ": the result has the size on the wire", "(%dbyte," % len(got[-1]) in result("v0"),
           "%d\n%s" % (len(got[-1]), result("v0")))
    charged = re.search(r"(\d+)\(bytes\), (\d+)\(packets\)", sh("ip -s xfrm state").split("lifetime current:")[1])
    equal(description + ": packets that the state counted", charged and charged[2], str(count))


def transports():
    for version, (lines, spec) in IN.items():
        what = "transport, IPv%d" % version
        esp(what + ", by address", "transport", CBC, lines, spec, by_spi=False)
        esp(what + ", by SPI", "transport", GCM, lines, dict(spec, size=1400), more=("pkt_size 1400",))
        for size in (101, 102, 103):
            esp("%s, %d bytes" % (what, size), "transport", CBC, lines, dict(spec, size=size), count=1,
                more=("pkt_size %d" % size,))
        esp(what + ", flows", "transport", CBC, lines, spec, more=("flows 2", "flowlen 3"), by_spi=False)
        tos = "traffic_class" if version == 6 else "tos"
        esp(what + ", class b8, with a checksum", "transport", CBC, lines, dict(spec, tos=0xb8, checksum=True),
            more=(tos + " b8", "flag UDPCSUM"))
        esp(what + ", QinQ", "transport", GCM, lines, dict(spec, **QINQ[1]), more=QINQ[0])
        esp(what + ", MPLS", "transport", GCM, lines, dict(spec, labels=[(16, 0, 64), (17, 0, 64)]),
            more=("mpls 00010040,00011040",))
        esp(what + ", queue_xmit", "transport", CBC, lines, spec, more=("xmit_mode queue_xmit",))
        esp(what + ", netif_receive", "transport", CBC, lines, spec, more=("xmit_mode netif_receive",))


def tunnels():
    for version, (lines, spec) in IN.items():
        for outer in (4, 6):
            esp("tunnel, IPv%d in IPv%d" % (version, outer), "tunnel", CBC, lines, dict(spec, size=300), outer,
                more=("pkt_size 300",))
        esp("tunnel, IPv%d with a VLAN tag" % version, "tunnel", GCM, lines, dict(spec, tags=[(0x8100, 0, 0, 9)]),
            version, more=("vlan_id 9",))


def authenticated():
    """AH is found by its SPI. Scapy takes the sum over what does not change on the way, and has to find the frame."""
    for version, (lines, spec) in IN.items():
        only_state("transport", SHA, spec["src"], spec["dst"], proto="ah")
        got, _ = catch(2, "flag IPSEC", BY_SPI, *lines, match=ours)
        want = [by_scapy(**dict(spec, ident=i, seq=i + 1)) for i in range(2)]
        heads = [HEAD[version](frame[14:]) for frame in got]
        equal("AH, IPv%d: SPI and numbers" % version, [(head[AH].spi, head[AH].seq) for head in heads],
              [(SPI, 1), (SPI, 2)])
        opened = [frame[:14] + bytes(SecurityAssociation(AH, spi=SPI, **SHA[1]).decrypt(head))
                  for frame, head in zip(got, heads)]
        wrong = difference(opened, want)
        ok("AH, IPv%d: frames" % version, not wrong, wrong)


def numbers():
    """They never come again: 32 bits end a run, 64 go on, with the upper half in the sum alone."""
    near = "replay-oseq 0xfffffffe"
    only_state("transport", CBC, "10.1.0.1", "10.1.0.2", more=near)
    fresh("flag IPSEC", "count 3", BY_SPI, *V4)
    start()
    equal("the last number of 32 bits", (value("v0", "pkts-sofar:"), "ERROR" in result("v0")), ("1", True))
    only_state("transport", CBC, "10.1.0.1", "10.1.0.2", more="flag esn replay-window 32 " + near)
    got, _ = catch(3, "flag IPSEC", BY_SPI, *V4, match=ours)
    heads = [IP(frame[14:]) for frame in got]
    equal("numbers of 64 bits", [head[ESP].seq for head in heads], [0xffffffff, 0, 1])
    # scapy leaves the upper half out of the sum, RFC 4303 has it behind the payload
    equal("numbers of 64 bits: sums", [frame[-16:].hex() for frame in got],
          [hmac.digest(AUTH, frame[34:-16] + struct.pack("!I", high), "sha256")[:16].hex()
           for frame, high in zip(got, (0, 1, 1))])
    opened = [frame[:14] + bytes(SecurityAssociation(ESP, spi=SPI, **CBC[1]).decrypt(head, verify=False))
              for frame, head in zip(got, heads)]
    wrong = difference(opened, [by_scapy(**dict(IN[4][1], ident=i, seq=i + 1)) for i in range(3)])
    ok("numbers of 64 bits: frames", not wrong, wrong)


def refused():
    """States that are not understood here are as good as none."""
    for mode, more in (("beet", ""), ("transport", "encap espinudp 4500 4500 0.0.0.0")):
        only_state(mode, CBC, "10.1.0.1", "10.1.0.2", more=more)
        fresh("flag IPSEC", "count 5", BY_SPI, *V4)
        start()
        equal("a state of %s %s" % (mode, more), (value("v0", "pkts-sofar:"), "ERROR" in result("v0")), ("0", True))


def without_state():
    sh("ip xfrm state flush")
    for name, lines in (("by address", ()), ("by SPI", ("spi 77",))):
        fresh("flag IPSEC", "count 5", *V4, *lines)
        start()
        ok("no state, %s: the result says so" % name, "ERROR" in result("v0"), result("v0"))
        equal("no state, %s: nothing was sent" % name, value("v0", "pkts-sofar:"), "0")


def references():
    """Nobody keeps a state that was deleted: the transform's module is free again."""
    def used():
        return number("/sys/module/esp4/refcnt")

    for name, change in (("flag !IPSEC", lambda: put("v0", "flag !IPSEC")),
                         ("flows", lambda: put("v0", "flows 3")),
                         ("another spi", lambda: put("v0", "spi 5")),
                         ("rem_device_all", lambda: put("kpktgend_0", "rem_device_all"))):
        sh("ip xfrm state flush")
        wait_until(5, lambda: not used())
        only_state("transport", CBC, "10.1.0.1", "10.1.0.2")
        fresh("flag IPSEC", "count 3", *V4)
        start()
        ok("%s: the state is used" % name, used() and "OK" in result("v0"), result("v0"))
        change()
        sh("ip xfrm state flush")
        ok("%s: the state is let go" % name, wait_until(10, lambda: not used()), used())


def peer():
    """Another kernel instance decrypts: its UDP counts datagrams to a port that nobody listens to, and no errors."""
    def counter(name):
        text = sh("ip netns exec wire cat /proc/net/snmp")
        rows = [line.split() for line in text.splitlines() if line.startswith("Udp:")]
        return int(dict(zip(*rows))[name])

    sh("ip netns add wire; ip link set v1 netns wire")
    sh("ip -n wire link set v1 up; ip -n wire addr add 10.1.0.2/24 dev v1")
    later("ip netns del wire")
    address = sh("ip netns exec wire cat /sys/class/net/v1/address").strip()
    only_state("transport", CBC, "10.1.0.1", "10.1.0.2", "-n wire")
    only_state("transport", CBC, "10.1.0.1", "10.1.0.2")
    wait_until(5, lambda: number("/sys/class/net/v0/carrier"))
    fresh("flag IPSEC", "count 40", "dst_mac " + address, "flag UDPCSUM", "min_pkt_size 60", "max_pkt_size 99", *V4)
    before = counter("NoPorts"), counter("InCsumErrors")
    start()
    wait_until(3, lambda: counter("NoPorts") - before[0] >= 40)
    equal("a peer's kernel takes all of them", (counter("NoPorts") - before[0], counter("InCsumErrors") - before[1]),
          (40, 0))


sh("modprobe -a esp4 esp6 ah4 ah6")
add_veth("v0", "v1")
transports()
tunnels()
authenticated()
numbers()
refused()
without_state()
references()
peer()
sh("ip xfrm state flush")
finish()
