# SPDX-License-Identifier: GPL-2.0
# C54, IPsec: ESP that a peer decrypts, headers that are right, states that are let go.
import hashlib
import hmac
import socket
import subprocess
import pgx
from pgx import (PG, SLOW, Sniffer, add_veth, equal, finish, internet_sum, mac_of, number, ok, put, read, result, sh,
                 start, value, wait_until, write)

AES = "enc 'cbc(aes)' 0x000102030405060708090a0b0c0d0e0f auth 'hmac(sha256)' 0x" + "0b" * 32
NULL = "enc 'ecb(cipher_null)' '' auth 'hmac(sha1)' 0x" + "0c" * 20
V4 = "src 198.18.0.1 dst 198.18.0.2 proto esp spi %s mode %s "
V6 = "src fd00::1 dst fd00::2 proto esp spi %s mode %s "


def esp_users(module="esp4"):
    """References to the ESP module: one for each state that lives."""
    return number("/sys/module/%s/refcnt" % module)


def of_peer(make, *arguments):
    """What a call in the peer's network namespace makes: a socket stays there."""
    with pgx.inside("peer"):
        return make(*arguments)


def bound_socket(family, address):
    sock = socket.socket(family, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    sock.bind((address, 9))
    sock.settimeout(3 * SLOW)
    return sock


def received(sock, count):
    got = []
    try:
        while len(got) < count:
            got.append(sock.recv(65536))
    except socket.timeout:
        pass
    return got


def is_esp(frame):
    return frame[12:14] == b"\x08\0" and frame[23] == 50 or frame[12:14] == b"\x86\xdd" and frame[20] == 50


def fresh(*lines):
    put("kpktgend_0", "rem_device_all", "add_device v0")
    put("v0", "flag IPSEC", "dst_mac " + PEER, "src_min 198.18.0.1", "dst 198.18.0.2", *lines)


def run(count, sock, *lines):
    """ESP frames on the wire, and datagrams that the peer's socket got out of them."""
    fresh("count %d" % count, *lines)
    sniffer = of_peer(Sniffer, "v1", is_esp)
    started = start()
    frames = sniffer.frames(count, 3)
    sniffer.close()
    data = received(sock, count)
    if started != "OK":
        print("# start: %s, %s" % (started, result("v0")))
    return frames, data


def outer_is_right(frame):
    if frame[12:14] == b"\x86\xdd":
        return int.from_bytes(frame[18:20], "big") == len(frame) - 54
    return internet_sum(frame[14:34]) == 0xFFFF and int.from_bytes(frame[16:18], "big") == len(frame) - 14


def decrypted(title, frames, data, count):
    numbers = [int.from_bytes(d[4:8], "big") for d in data]
    equal(title + ": the peer has each", numbers, list(range(1, count + 1)))
    ok(title + ": each datagram is whole", all(d[:4] == b"\xbe\x9b\xe9\x55" and not any(d[16:]) for d in data))
    equal(title + ": length and checksum of the outer header", [outer_is_right(f) for f in frames], [True] * count)
    size = len(frames[0]) if frames else 0
    ok(title + ": the result has the frame on the wire", "(%dbyte," % size in result("v0"), "%d, %s" % (size, result("v0")))


def state(where, text):
    sh("ip %s xfrm state add %s" % (where, text))


def drain(sock):
    """A datagram that nobody has read holds the state that it was decrypted with."""
    sock.setblocking(False)
    try:
        while True:
            sock.recv(65536)
    except BlockingIOError:
        sock.settimeout(3 * SLOW)


def flush():
    drain(SOCK4)
    drain(SOCK6)
    sh("ip xfrm state deleteall; ip -n peer xfrm state deleteall")
    return wait_until(5, lambda: esp_users() == 0 and esp_users("esp6") == 0)


add_veth("v0", "v1")
PEER = mac_of("v1")
sh("modprobe esp4; modprobe esp6; modprobe xfrm_user; ip netns add peer; ip link set v1 netns peer")
pgx.later("ip netns del peer")
sh("ip -n peer addr add 198.18.0.2/24 dev v1; ip -n peer link set v1 up; ip netns exec peer sysctl -qw "
   "net.ipv6.conf.v1.disable_ipv6=0; ip -n peer -6 addr add fd00::2/64 dev v1 nodad; ip -n peer link set lo up")
wait_until(5, lambda: number("/sys/class/net/v0/carrier"))
SOCK4 = of_peer(bound_socket, socket.AF_INET, "198.18.0.2")
SOCK6 = of_peer(bound_socket, socket.AF_INET6, "fd00::2")

# Transport mode, found by its addresses
for at in "", "-n peer":
    state(at, V4 % ("0x100", "transport") + AES)
FRAMES, DATA = run(100, SOCK4, "flows 1", "pkt_size 200")
decrypted("C54: transport", FRAMES, DATA, 100)
equal("C54: transport: SPI and sequence numbers", [f[34:42].hex() for f in FRAMES],
      ["00000100%08x" % n for n in range(1, 101)])
FRAMES, DATA = run(5, SOCK4, "pkt_size 100")
equal("C54: flows are not needed", len(DATA), 5)
equal("C54: !IPSEC sends them in the clear", (put("v0", "flag !IPSEC"), start(), len(received(SOCK4, 5))), (None, "OK", 5))
put("kpktgend_0", "rem_device_all")
ok("C54: states are let go when an entry is removed", flush(), esp_users())

# Cipher null lets the bytes be seen: padding, next header and the authentication, RFC 4303
for at in "", "-n peer":
    state(at, V4 % ("0x200", "transport") + NULL)
FRAMES, DATA = run(3, SOCK4, "spi 512", "pkt_size 101")
decrypted("C54: by SPI", FRAMES, DATA, 3)
for f in FRAMES[:1]:
    esp, icv = f[34:-12], f[-12:]
    equal("C54: authentication over header and payload", icv.hex(),
          hmac.new(b"\x0c" * 20, esp, hashlib.sha1).digest()[:12].hex())
    # UDP has 101 - 34 bytes; with padding, its length and the next header they fill words of four bytes
    equal("C54: the UDP packet, padding that counts up, its length, and next header UDP",
          (esp[8:75].hex()[:8], esp[75:].hex(), len(esp) % 4), ("00090009", "0102030311", 0))

# Reconfiguration during a run: fewer flows, another SPI
put("v0", "count 0", "delay 1ms", "flows 4")
process = subprocess.Popen(["sh", "-c", "echo start > %spgctrl" % PG])
wait_until(5, lambda: int(value("v0", "pkts-sofar:")) > 5)
put("v0", "flows 2")
put("v0", "flows 1")
equal("C54: the run goes on with fewer flows", read("kpktgend_0").splitlines()[0], "Running: v0 ")
sh("ip xfrm state deleteall")
ok("C54: it ends when its state is deleted", wait_until(5, lambda: process.poll() is not None))
ok("C54: and says why", result("v0").startswith("ERROR: ") and "\n     ended-by: no IPsec state\n" in read("v0"), read("v0"))
ok("C54: no state is held", flush(), esp_users())

# Tunnel mode, and IPv6
for at in "", "-n peer":
    state(at, V4 % ("0x300", "tunnel") + AES)
    state(at, V6 % ("0x400", "transport") + AES)
# 6.1 takes what comes out of a tunnel only by a policy
sh("ip -n peer xfrm policy add dir in tmpl proto esp mode tunnel level use")
FRAMES, DATA = run(10, SOCK4, "spi 0x300", "pkt_size 200")
decrypted("C54: tunnel", FRAMES, DATA, 10)
sh("ip -n peer xfrm policy flush")
FRAMES, DATA = run(10, SOCK6, "spi 0x400", "src6 fd00::1", "dst6 fd00::2", "pkt_size 200")
decrypted("C54: IPv6", FRAMES, DATA, 10)
FRAMES, DATA = run(10, SOCK6, "src6 fd00::1", "dst6 fd00::2", "pkt_size 200")
decrypted("C54: IPv6, found by its addresses", FRAMES, DATA, 10)
put("kpktgend_0", "rem_device_all")
ok("C54: states of a tunnel are let go too", flush(), (esp_users(), esp_users("esp6")))

# No state at all
fresh("count 5")
start()
ok("C54: no state ends the run with a reason", result("v0").startswith("ERROR: ") and value("v0", "pkts-sofar:") == "0",
   read("v0"))
put("kpktgend_0", "rem_device_all")

# A namespace that goes away with a run and its states
sh("ip netns add gone; ip -n gone link add v8 type veth peer name v9; ip -n gone link set v8 up; ip -n gone link set v9 up")
state("-n gone", V4 % ("0x500", "transport") + AES)
process = subprocess.Popen(["ip", "netns", "exec", "gone", "sh", "-c", "cd %s; echo add_device v8 > kpktgend_0; for l in "
                            "'flag IPSEC' 'count 0' 'delay 1ms' 'src_min 198.18.0.1' 'dst 198.18.0.2'; do echo $l > v8; "
                            "done; exec 3> pgctrl; echo start >&3" % PG])
wait_until(5, lambda: sh("ip netns exec gone grep -c 'Running: v8' %skpktgend_0; true" % PG).strip() == "1")
sh("ip netns pids gone | xargs -r kill; ip netns del gone")
ok("C54: the writer is gone", wait_until(3, lambda: process.poll() is not None))
ok("C54: and the namespace's state with it", wait_until(5, lambda: esp_users() == 0), esp_users())
for made in SOCK4, SOCK6:
    made.close()
write("pgctrl", "reset")
finish()
