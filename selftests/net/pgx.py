# SPDX-License-Identifier: GPL-2.0
"""For cases in Python: KTAP lines, the proc files, veth pairs, and a sniffer in the same process."""
import atexit
import contextlib
import ctypes
import errno
import os
import socket
import struct
import subprocess
import sys
import time

PG = "/proc/net/pktgen_ext/"
MAGIC = struct.pack("!I", 0xBE9BE955)
ETH_P_ALL = 3
SO_RCVBUFFORCE = 33	# asm-generic/socket.h
CLONE_NEWNET = 0x40000000	# sched.h
INIT_MODULE_FD, DELETE_MODULE = 313, 176	# unistd_64.h
libc = ctypes.CDLL(None, use_errno=True)
SLOW = int(os.environ.get("PGX_SLOW") or 1)	# kernels that look for faults take longer for everything

_checks = 0
_failures = 0


def ok(description, good, detail=""):
    global _checks, _failures
    _checks += 1
    print("%sok %d %s" % ("" if good else "not ", _checks, description))
    if not good:
        _failures += 1
        for line in str(detail).splitlines():
            print("# " + line)
    sys.stdout.flush()
    return good


def equal(description, got, want):
    return ok(description, got == want, "got:  %s\nwant: %s" % (got, want))


def finish():
    print("1..%d" % _checks)
    sys.exit(_failures > 0)


def skip_case(reason):
    """Nothing of a case can be checked here."""
    print("ok 1 the whole case # SKIP %s\n1..1" % reason)
    sys.exit()


def sh(command, check=True):
    return subprocess.run(command, shell=True, check=check, stdout=subprocess.PIPE, text=True).stdout


def later(command):
    atexit.register(sh, command + " 2>/dev/null", False)


def error_name(code):
    """The name that programs know: Python has another one for the same number."""
    return "EOPNOTSUPP" if code == errno.EOPNOTSUPP else errno.errorcode.get(code, str(code))


def outcome(call):
    """What becomes of a call: OK or the name of its error."""
    try:
        call()
        return "OK"
    except OSError as e:
        return error_name(e.errno)


def tell(path, text):
    """Write to any file: OK or the name of the error."""
    def call():
        with open(path, "w") as file:
            file.write(text)

    return outcome(call)


def checked(done):
    """What a C function returns, as Python has it: an exception for -1."""
    if done < 0:
        raise OSError(ctypes.get_errno(), "")


def insert():
    """What insmod does, in this task."""
    fd = os.open(os.environ["PGX_KO"], os.O_RDONLY)
    try:
        return outcome(lambda: checked(libc.syscall(INIT_MODULE_FD, fd, b"", 0)))
    finally:
        os.close(fd)


@contextlib.contextmanager
def coming_home():
    """Whatever network namespace this thread goes to, it comes back to the one that it was in."""
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        yield
    finally:
        enter(home)
        os.close(home)


@contextlib.contextmanager
def inside(namespace):
    """In another network namespace, for a while. What is opened there stays there."""
    there = os.open("/run/netns/" + namespace, os.O_RDONLY)
    with coming_home():
        enter(there)
        os.close(there)
        yield


def enter(fd):
    checked(libc.setns(fd, CLONE_NEWNET))


def unshare():
    """Into a network namespace of its own."""
    checked(libc.unshare(CLONE_NEWNET))


def write(name, text):
    """Write text in one go. Returns 'OK' or the name of the error."""
    data = text if isinstance(text, bytes) else (text + "\n").encode()
    try:
        fd = os.open(PG + name, os.O_WRONLY)
        try:
            done = os.write(fd, data)
        finally:
            os.close(fd)
        return "OK" if done == len(data) else "%d of %d bytes" % (done, len(data))
    except OSError as e:
        return error_name(e.errno)


def put(name, *lines):
    for line in lines:
        got = write(name, line)
        if got != "OK":
            ok("write of '%s' to %s" % (line, name), False, "%s, %s" % (got, result(name)))


def read(name):
    with open(PG + name) as f:
        return f.read()


def result(name):
    return read(name).split("Result: ", 1)[1].rstrip("\n")


def params(name):
    """The listing without what a run changes, and without the result."""
    return read(name).split("Current:", 1)[0]


def value(name, word):
    words = read(name).split()
    return words[words.index(word) + 1]


def start():
    return write("pgctrl", "start")


def number(path):
    with open(path) as f:
        return int(f.read())


def rx_packets(dev):
    return number("/sys/class/net/%s/statistics/rx_packets" % dev)


def tx_packets(dev):
    return number("/sys/class/net/%s/statistics/tx_packets" % dev)


def mac_of(dev):
    with open("/sys/class/net/%s/address" % dev) as f:
        return f.read().strip()


def wait_until(seconds, condition):
    end = time.monotonic() + seconds * SLOW
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def quiet_up(dev):
    """Bring a device up without the chatter of IPv6, so that counters show our packets alone."""
    with open("/proc/sys/net/ipv6/conf/%s/disable_ipv6" % dev, "w") as f:
        f.write("1")
    sh("ip link set %s up" % dev)


def find_card():
    """The network card, up and with its carrier; None where there is none that this kernel has the driver of."""
    names = sh("modprobe -q e1000; ls -d /sys/class/net/*/device 2>/dev/null | cut -d / -f 5", False).split()
    if not names:
        return None
    quiet_up(names[0])
    wait_until(10, lambda: open("/sys/class/net/%s/carrier" % names[0]).read() == "1\n")
    return names[0]


def add_veth(a, b, options=""):
    sh("ip link add %s %s type veth peer name %s %s" % (a, options, b, options))
    later("ip link del %s" % a)
    quiet_up(a)
    quiet_up(b)
    wait_until(5, lambda: number("/sys/class/net/%s/carrier" % a))


def add_dummy(dev, options=""):
    sh("ip link add %s %s type dummy" % (dev, options))
    later("ip link del %s" % dev)
    quiet_up(dev)


def plain(frame):
    """The magic number lies where IPv4 without tags has it."""
    return frame[42:46] == MAGIC


def anywhere(frame):
    return MAGIC in frame


class Sniffer:
    """Catches incoming frames that match, whole, as a card would have sent them.

    A VLAN tag that the stack took off is back in its place, and a checksum that was left to the device is there;
    offloaded counts those. socket.h, if_packet.h, virtio_net.h.
    """

    SOL_PACKET, PACKET_AUXDATA, PACKET_VNET_HDR = 263, 8, 15
    VLAN_VALID, TPID_VALID = 1 << 4, 1 << 6
    NEEDS_CSUM = 1

    def __init__(self, dev, match=plain):
        self.match = match
        self.offloaded = 0
        self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self.sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
        self.sock.setsockopt(self.SOL_PACKET, self.PACKET_AUXDATA, 1)
        self.sock.setsockopt(self.SOL_PACKET, self.PACKET_VNET_HDR, 1)
        self.sock.bind((dev, ETH_P_ALL))

    def completed(self, header, frame):
        """The frame with the checksum that the device was asked for, RFC 768: 0 is sent as ffff."""
        flags, start, offset = struct.unpack("=B5xHH", header)
        if not flags & self.NEEDS_CSUM:
            return frame, False
        words = frame[start:] + bytes(len(frame) - start & 1)
        total = sum(struct.unpack("!%dH" % (len(words) // 2), words))
        while total >> 16:
            total = (total & 0xFFFF) + (total >> 16)
        place = start + offset
        return frame[:place] + struct.pack("!H", ~total & 0xFFFF or 0xFFFF) + frame[place + 2:], True

    def tagged(self, ancillary, frame):
        for level, kind, data in ancillary:
            if (level, kind) != (self.SOL_PACKET, self.PACKET_AUXDATA):
                continue
            status, _, _, _, _, tci, tpid = struct.unpack("=IIIHHHH", data[:20])
            if status & self.VLAN_VALID:
                tag = struct.pack("!HH", tpid if status & self.TPID_VALID else 0x8100, tci)
                return frame[:12] + tag + frame[12:]
        return frame

    def frames(self, count, seconds=10):
        got = []
        end = time.monotonic() + seconds * SLOW
        while len(got) < count and time.monotonic() < end:
            self.sock.settimeout(max(end - time.monotonic(), 0.001))
            try:
                data, ancillary, _, source = self.sock.recvmsg(1 << 17, 256)
            except socket.timeout:
                break
            if source[2] == socket.PACKET_OUTGOING:
                continue
            frame, offloaded = self.completed(data[:10], data[10:])
            frame = self.tagged(ancillary, frame)
            if self.match(frame):
                got.append(frame)
                self.offloaded += offloaded
        return got

    def close(self):
        self.sock.close()


def sent(dev, count, match=plain):
    """Start what is configured; the frames that arrive at dev."""
    sniffer = Sniffer(dev, match)
    start()
    got = sniffer.frames(count)
    sniffer.close()
    return got


def use(folder):
    """Speak to another generator from here on: the folder's name under /proc/net."""
    global PG
    PG = "/proc/net/%s/" % folder


def said(name, text):
    """Write text; what came of it and what the file answers."""
    got = write(name, text)
    return "%s | %s" % (got, result(name))


BTF_MORE = {1: (4, 0), 3: (12, 0), 4: (0, 12), 5: (0, 12), 6: (0, 8), 13: (0, 8), 14: (4, 0), 15: (0, 12), 17: (4, 0),
            19: (0, 12)}	# bytes behind a type of this kind, and for each of its members


BTF = "/sys/kernel/btf/vmlinux"


def skb_offsets():
    """Byte offset of the members of struct sk_buff of the running kernel: from its BTF, or as build.sh has them."""
    if os.path.exists(BTF):
        return struct_offsets("sk_buff")
    with open(os.path.join(os.path.dirname(os.environ["PGX_KO"]), "skb-offsets")) as f:
        return {name: int(offset, 16) for name, offset in (line.split() for line in f)}


def struct_offsets(name):
    """Byte offset of each member of a struct of the running kernel, from its BTF."""
    with open(BTF, "rb") as f:
        btf = f.read()
    head, type_off, type_len, str_off = struct.unpack_from("IIII", btf, 4)
    strings = head + str_off
    want = btf.index(b"\0%s\0" % name.encode(), strings) + 1 - strings
    at, end = head + type_off, head + type_off + type_len
    while at < end:
        name_off, info, _ = struct.unpack_from("III", btf, at)
        kind, members = info >> 24 & 0x1F, info & 0xFFFF
        if kind == 4 and name_off == want:
            break
        fixed, each = BTF_MORE.get(kind, (0, 0))
        at += 12 + fixed + each * members
    found = {}
    for member, _, bits in struct.iter_unpack("III", btf[at + 12:at + 12 + 12 * members]):
        start_at = strings + member
        found[btf[start_at:btf.index(b"\0", start_at)].decode()] = (bits & 0xFFFFFF) // 8
    return found


class SkbProbe:
    """What a driver's transmit function is given: one dict per call, from a kprobe at its entry."""

    TRACING = "/sys/kernel/tracing/"

    def __init__(self, function):
        skb = skb_offsets()
        self.event = "p:pgx/%s %s skb=%%di " % (function, function)
        self.event += "".join("%s=+%d(%%di):u32 " % (f, skb[f]) for f in ("users", "len", "data_len", "truesize"))
        self.event += " ".join("w%d=+%d(+%d(%%di)):u32" % (i, 4 * i, skb["data"]) for i in range(15))
        self.function = function
        self.set("trace", "")
        self.set("kprobe_events", self.event)
        self.set("events/pgx/%s/enable" % function, "1")

    def set(self, name, text):
        # kprobe_events forgets all that it has when it is opened to be cut; the trace buffer is emptied by that
        fd = os.open(self.TRACING + name, os.O_WRONLY | (os.O_APPEND if name == "kprobe_events" else os.O_TRUNC))
        os.write(fd, text.encode())
        os.close(fd)

    def calls(self):
        got = []
        with open(self.TRACING + "trace") as f:
            for line in f:
                if ": %s: (" % self.function in line:
                    fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
                    words = b"".join(struct.pack("I", int(fields.pop("w%d" % i))) for i in range(15))
                    call = {k: int(v, 0) for k, v in fields.items()}
                    got.append(dict(call, data=words[:call["len"]]))
        return got

    def close(self):
        self.set("events/pgx/%s/enable" % self.function, "0")
        self.set("kprobe_events", "-:pgx/" + self.function)


def internet_sum(data):
    """RFC 1071, without the complement: ffff over data that carries its right checksum."""
    data += b"\0" * (len(data) & 1)
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def dissect(frame):
    """Walk through the headers of a frame with tags or labels, IPv4 or IPv6, and UDP: what they say, and what is wrong."""
    found = {"len": len(frame), "tags": [], "labels": [], "wrong": []}
    at, kind = 14, struct.unpack_from("!H", frame, 12)[0]
    while kind in (0x8100, 0x88A8):
        tci, after = struct.unpack_from("!HH", frame, at)
        found["tags"].append((kind, tci))
        at, kind = at + 4, after
    while kind == 0x8847:
        word = struct.unpack_from("!I", frame, at)[0]
        found["labels"].append(word)
        at += 4
        if word & 0x100:
            kind = 0x0800 if frame[at] >> 4 == 4 else 0x86DD
    ip = frame[at:]
    if kind == 0x0800:
        found.update(ip=4, tos=ip[1], iplen=struct.unpack_from("!H", ip, 2)[0], ttl=ip[8], proto=ip[9],
                     saddr=socket.inet_ntop(socket.AF_INET, ip[12:16]),
                     daddr=socket.inet_ntop(socket.AF_INET, ip[16:20]))
        pseudo, udp, total = ip[12:20], ip[20:], found["iplen"]
        if internet_sum(ip[:20]) != 0xFFFF:
            found["wrong"].append("IPv4 checksum")
    else:
        found.update(ip=6, tos=struct.unpack_from("!I", ip)[0] >> 20 & 0xFF, iplen=struct.unpack_from("!H", ip, 4)[0],
                     proto=ip[6], ttl=ip[7], saddr=socket.inet_ntop(socket.AF_INET6, ip[8:24]),
                     daddr=socket.inet_ntop(socket.AF_INET6, ip[24:40]))
        pseudo, udp, total = ip[8:40], ip[40:], found["iplen"] + 40
    if total != len(ip):
        found["wrong"].append("IP length %d of %d" % (total, len(ip)))
    found.update(zip(("sport", "dport", "udplen", "udpsum"), struct.unpack_from("!4H", udp)))
    if found["udplen"] != len(udp):
        found["wrong"].append("UDP length %d of %d" % (found["udplen"], len(udp)))
    pseudo += struct.pack("!II", len(udp), 17)
    found["udp_good"] = found["udpsum"] != 0 and internet_sum(pseudo + udp) == 0xFFFF
    found.update(zip(("magic", "seq", "sec", "usec"), struct.unpack_from("!4I", udp, 8)))
    if found["magic"] != 0xBE9BE955 or any(udp[24:]):
        found["wrong"].append("payload")
    return found
