# SPDX-License-Identifier: GPL-2.0
"""For cases in Python: KTAP lines, the proc files, veth pairs, and a sniffer in the same process."""
import atexit
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


def sh(command, check=True):
    return subprocess.run(command, shell=True, check=check, stdout=subprocess.PIPE, text=True).stdout


def later(command):
    atexit.register(sh, command + " 2>/dev/null", False)


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
        return "EOPNOTSUPP" if e.errno == errno.EOPNOTSUPP else errno.errorcode[e.errno]


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
    end = time.monotonic() + seconds
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
        end = time.monotonic() + seconds
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
