# SPDX-License-Identifier: GPL-2.0
"""Links by rtnetlink, without a process for each: rtnetlink.h, if_link.h, netlink.h. Every function returns 0 or an errno."""
import errno
import socket
import struct

NEWLINK, DELLINK, SETLINK, NEWLINKPROP, DELLINKPROP = 16, 17, 19, 108, 109
REQUEST, ACK, EXCL, CREATE, APPEND = 1, 4, 0x200, 0x400, 0x800
ERROR = 2
NESTED = 0x8000
MTU, LINK, IFNAME, MASTER, LINKINFO, NET_NS_FD, TX_QUEUES, RX_QUEUES, PROP_LIST, ALT_IFNAME = 4, 5, 3, 10, 18, 28, 31, 32, 52, 53
INFO_KIND, INFO_DATA = 1, 2
VETH_PEER, VLAN_ID, MACVLAN_MODE = 1, 1, 1
UP = 1


def attr(kind, data):
    if isinstance(data, str):
        data = data.encode() + b"\0"
    elif isinstance(data, int):
        data = struct.pack("=I", data)
    head = struct.pack("=HH", len(data) + 4, kind)
    return head + data + bytes(-len(data) % 4)


def info(index=0, flags=0, change=0):
    return struct.pack("=BxHiII", 0, 0, index, flags, change)


def index_of(name):
    try:
        return socket.if_nametoindex(name)
    except OSError:
        return 0


class Links:
    """A socket in the namespace that it was made in."""

    def __init__(self):
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        self.seq = 0

    def ask(self, kind, flags, body):
        self.seq += 1
        self.sock.send(struct.pack("=IHHII", len(body) + 16, kind, flags | REQUEST | ACK, self.seq, 0) + body)
        while True:
            answer = self.sock.recv(65536)
            _, kind, _, seq, _ = struct.unpack_from("=IHHII", answer)
            if kind == ERROR and seq == self.seq:
                return -struct.unpack_from("=i", answer, 16)[0]

    def change(self, name, flags, change, *attrs):
        index = index_of(name)
        return self.ask(SETLINK, 0, info(index, flags, change) + b"".join(attrs)) if index else errno.ENODEV

    def up(self, *names):
        return max(self.change(name, UP, UP) for name in names)

    def down(self, *names):
        return max(self.change(name, 0, UP) for name in names)

    def rename(self, name, new):
        return self.change(name, 0, 0, attr(IFNAME, new))

    def mtu(self, name, value):
        return self.change(name, 0, 0, attr(MTU, value))

    def master(self, name, master):
        return self.change(name, 0, 0, attr(MASTER, index_of(master) if master else 0))

    def move(self, name, fd):
        """To the namespace of that descriptor."""
        return self.change(name, 0, 0, attr(NET_NS_FD, fd))

    def altname(self, name, other, add):
        body = info(index_of(name)) + attr(PROP_LIST | NESTED, attr(ALT_IFNAME, other))
        return self.ask(NEWLINKPROP if add else DELLINKPROP, CREATE | EXCL | APPEND if add else 0, body)

    def delete(self, name):
        index = index_of(name)
        return self.ask(DELLINK, 0, info(index)) if index else errno.ENODEV

    def create(self, name, kind, data=b"", *attrs):
        what = attr(INFO_KIND, kind) + (attr(INFO_DATA | NESTED, data) if data else b"")
        body = info() + attr(IFNAME, name) + b"".join(attrs) + attr(LINKINFO | NESTED, what)
        return self.ask(NEWLINK, CREATE | EXCL, body)

    def on(self, link):
        return attr(LINK, index_of(link))

    def dummy(self, name):
        return self.create(name, "dummy")

    def vlan(self, name, link, vid):
        return self.create(name, "vlan", attr(VLAN_ID, struct.pack("=H", vid)), self.on(link))

    def macvlan(self, name, link):
        return self.create(name, "macvlan", attr(MACVLAN_MODE, 4), self.on(link))

    def veth(self, name, peer, queues=1):
        many = attr(TX_QUEUES, queues) + attr(RX_QUEUES, queues)
        return self.create(name, "veth", attr(VETH_PEER, info() + attr(IFNAME, peer) + many), many)
