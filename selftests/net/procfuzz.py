# SPDX-License-Identifier: GPL-2.0
# Lines that are nearly right, bytes that are not, and system calls that no script makes, on every file while a run goes
# on. The seed makes a run the same again: PGX_SEED=7 PGX_SECONDS=600 selftests/run.sh net/procfuzz_long
# pgx: timeout 100
import ctypes
import errno
import mmap
import os
import random
import re
import threading
import time
from pgx import PG, add_dummy, equal, error_name, finish, ok, params, put, read, sh, start, write

PAGE_SIZE = mmap.PAGESIZE
BIG = 65536
REFERENCE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../Documentation/pktgen_ext.rst")
# what a system call may say that never gets as far as the module: no such call for this file, or not so opened
FOREIGN = {"ESPIPE", "EBADF", "ENODEV", "ENOTTY", "EINVAL", "EPERM", "ENOENT", "EINTR", "EIO", "EOPNOTSUPP", "EACCES"}

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
for _call in ("write", "pwrite64", "read", "pread64", "writev", "readv", "splice", "sendfile64"):
    getattr(libc, _call).restype = ctypes.c_ssize_t


class IoVec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("len", ctypes.c_size_t)]


def documented():
    """Errors that the reference has for a write or a read."""
    with open(REFERENCE, encoding="utf-8") as f:
        section = f.read().split("\nErrors\n======\n")[1].split("\nModule parameters\n")[0]
    return set(re.findall(r"   \* - (E[A-Z0-9]+)\n", section))


def rows():
    """Words of an entry's file and their example values, from the reference."""
    found, name = {}, None
    with open(REFERENCE, encoding="utf-8") as f:
        for line in f:
            if line.startswith(".. "):
                name = line.split(": ")[1].split()[0] if line.startswith(".. parameter: ") else None
                if name:
                    found[name] = [""]
            elif name and line.startswith("    $ " + name + " "):
                found[name].append(line[len("    $ " + name + " "):].strip())
    return found


def content(name):
    """Bytes, for a name may hold any."""
    with open(PG + name, "rb") as f:
        return f.read()


class Edge:
    """Memory whose end is the end of what the process has: the next page can not be touched."""

    PAGES = BIG // PAGE_SIZE + 2

    def __init__(self):
        size = (self.PAGES + 1) * PAGE_SIZE
        self.base = libc.mmap(None, ctypes.c_size_t(size), 3, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        self.end = self.base + self.PAGES * PAGE_SIZE
        if libc.mprotect(ctypes.c_void_p(self.end), ctypes.c_size_t(PAGE_SIZE), 0):
            raise OSError(ctypes.get_errno(), "mprotect")

    def put(self, data):
        """Address of the data, whose last byte is the last there is."""
        at = self.end - len(data)
        ctypes.memmove(at, data, len(data))
        return at


class Words:
    """What is written: by the grammar, spoiled, or at random."""

    FLAGS = ("IPSRC_RND IPDST_RND TXSIZE_RND UDPSRC_RND UDPDST_RND UDPCSUM NO_TIMESTAMP MPLS_RND QUEUE_MAP_RND "
             "QUEUE_MAP_CPU FLOW_SEQ IPSEC MACSRC_RND MACDST_RND VID_RND SVID_RND NODE SHARED FLOW_RND IPV6").split()

    def __init__(self, rand):
        self.rand = rand
        self.rows = rows()
        self.names = sorted(self.rows)

    def number(self):
        r = self.rand
        return str(r.choice([r.randrange(10), r.randrange(70000), (1 << r.randrange(65)) + r.randrange(-1, 2),
                             r.getrandbits(r.randrange(1, 200)), -r.randrange(9)])) + r.choice(["", "", "", "k", "G", "ms"])

    def value(self, name):
        r = self.rand
        kind = r.randrange(6)
        if name == "flag":
            return " ".join(r.choice(["", "!"]) + r.choice(self.FLAGS) for _ in range(r.randrange(1, 5)))
        if kind < 3:
            return r.choice(self.rows[name])
        if kind < 5:
            return self.number()
        return r.choice(self.rows[r.choice(self.names)])

    def entry_line(self):
        name = self.rand.choice(self.names)
        return "%s%s%s" % (name, self.rand.choice([" ", "=", "\t", "  "]), self.value(name))

    def cpu_line(self):
        r = self.rand
        return r.choice(["add_device ", "add_device ", "rem_device ", "max_before_softirq ", "rem_device_all "]) + \
            r.choice(["d0", "d0@%d" % r.randrange(6), "d1", "nosuch", "d0@" + "x" * r.randrange(200), "pgctrl", ""])

    def spoil(self, data):
        r = self.rand
        data = bytearray(data)
        for _ in range(r.randrange(1, 5)):
            if data:
                data[r.randrange(len(data))] = r.choice([0, 10, 32, 255, r.randrange(256)])
        return bytes(data)

    def data(self, name):
        """Bytes for a file, 1 to 65536 of them and now and then one more."""
        r = self.rand
        kind = r.randrange(16)
        if kind == 0:
            return r.randbytes(r.choice([1, 2, 3, 7, 64, 4095, 4096, 4097, BIG - 1, BIG, BIG + 1]))
        if kind == 1:
            return bytes(r.choice([1, 2, 100, 5000]))
        if name == "pgctrl":
            text = r.choice(["start", "stop", "reset", "stop\n", "stopx", "start\0", "", " stop", "res", "report"])
        else:
            line = self.cpu_line if name.startswith("kpktgend_") else self.entry_line
            text = "\n".join(line() for _ in range(r.choice([1, 1, 1, 2, 5])))
        data = text.encode() + r.choice([b"", b"\n", b"\0", b"\n\0\0"])
        if kind < 5:
            data = self.spoil(data)
        if kind == 5:
            data = (data + b"\n") * r.randrange(1, BIG // (len(data) + 1) + 2)
        return data


def ends_runs(name, data):
    """Whether this write may rightly end the run that has to go on."""
    if name == "pgctrl":
        return data.rstrip(b"\0").rstrip(b"\n") in (b"stop", b"reset")
    return name == "kpktgend_1" and b"rem_device" in data


class Calls:
    """Ways to write and to read; each returns the name of its error, or OK."""

    def __init__(self, rand):
        self.rand = rand
        self.edge = Edge()
        self.into = Edge()
        self.pipe = os.pipe()
        self.memory = os.memfd_create("pgx")
        os.set_blocking(self.pipe[0], False)
        os.set_blocking(self.pipe[1], False)

    @staticmethod
    def outcome(done):
        if done >= 0:
            return "OK"
        return error_name(ctypes.get_errno())

    def write(self, fd, data):
        return self.outcome(libc.write(fd, ctypes.c_void_p(self.edge.put(data)), ctypes.c_size_t(len(data))))

    def write_beyond(self, fd, data):
        """More than there is: the end lies in the page that can not be touched."""
        return self.outcome(libc.write(fd, ctypes.c_void_p(self.edge.put(data)),
                                       ctypes.c_size_t(len(data) + self.rand.choice([1, 100, 5000]))))

    def pwrite(self, fd, data):
        return self.outcome(libc.pwrite64(fd, ctypes.c_void_p(self.edge.put(data)), ctypes.c_size_t(len(data)),
                                          ctypes.c_int64(self.rand.choice([0, 1, 4096, 1 << 40]))))

    def seek_write(self, fd, data):
        try:
            os.lseek(fd, self.rand.choice([0, 1, 4096, 1 << 31]), self.rand.choice([os.SEEK_SET, os.SEEK_CUR]))
        except OSError:
            pass
        return self.write(fd, data)

    def vectors(self, data):
        """Several pieces of one write, some of them empty."""
        r = self.rand
        cuts = sorted(r.randrange(len(data) + 1) for _ in range(r.randrange(6)))
        at = self.edge.put(data)
        vec = [IoVec(at + a, b - a) for a, b in zip([0] + cuts, cuts + [len(data)])]
        return (IoVec * len(vec))(*vec), len(vec)

    def writev(self, fd, data):
        vec, count = self.vectors(data)
        return self.outcome(libc.writev(fd, vec, count))

    def splice(self, fd, data):
        try:
            sent = os.write(self.pipe[1], data[:PAGE_SIZE])
        except BlockingIOError:
            sent = 0
        got = self.outcome(libc.splice(self.pipe[0], None, fd, None, ctypes.c_size_t(sent or 1), 0))
        try:
            while os.read(self.pipe[0], BIG):
                pass
        except BlockingIOError:
            pass
        return got

    def sendfile(self, fd, data):
        os.ftruncate(self.memory, 0)
        os.pwrite(self.memory, data, 0)
        os.lseek(self.memory, 0, os.SEEK_SET)
        return self.outcome(libc.sendfile64(fd, self.memory, None, ctypes.c_size_t(len(data))))

    def read(self, fd):
        r = self.rand
        size = r.choice([0, 1, 2, 3, 17, 511, 512, 4095, 4096, 4097, 40000])
        at = ctypes.c_void_p(self.into.end - size)
        kind = r.randrange(4)
        if kind == 0:
            return self.outcome(libc.pread64(fd, at, ctypes.c_size_t(size),
                                             ctypes.c_int64(r.choice([0, 1, 100, 4096, 1 << 33, -1]))))
        if kind == 1:
            vec = (IoVec * 3)(IoVec(at.value, size // 2), IoVec(at.value, 0), IoVec(at.value + size // 2, size - size // 2))
            return self.outcome(libc.readv(fd, vec, 3))
        if kind == 2:
            try:
                os.lseek(fd, r.choice([0, 1, 700, 1 << 31]), os.SEEK_SET)
            except OSError:
                pass
        return self.outcome(libc.read(fd, at, ctypes.c_size_t(size)))

    def read_beyond(self, fd):
        """What does not fit is not there any more."""
        size = self.rand.choice([0, 1, 17, 511, 4096])
        return self.outcome(libc.read(fd, ctypes.c_void_p(self.into.end - size), ctypes.c_size_t(size + 64)))

    def odd(self, fd):
        """Calls that these files have no answer to."""
        r = self.rand
        try:
            kind = r.randrange(5)
            if kind == 0:
                mmap.mmap(fd, PAGE_SIZE, prot=mmap.PROT_READ).close()
            elif kind == 1:
                os.ftruncate(fd, r.choice([0, 1, 1 << 30]))
            elif kind == 2:
                os.posix_fallocate(fd, 0, 100)
            elif kind == 3:
                os.fsync(fd)
            else:
                return self.outcome(libc.ioctl(fd, ctypes.c_ulong(r.getrandbits(32)), ctypes.c_void_p(self.edge.base)))
        except OSError as e:
            return error_name(e.errno)
        except ValueError:
            pass
        return "OK"


class Guard(threading.Thread):
    """A fuzzed "start" may wait for runs without an end; after a second somebody says stop."""

    def __init__(self):
        super().__init__(daemon=True)
        self.since = None
        self.stops = 0

    def run(self):
        while True:
            time.sleep(0.1)
            since = self.since
            if since and time.monotonic() - since > 1:
                write("pgctrl", "stop")
                self.stops += 1


LISTING = re.compile(
    rb"Params: count \d+  min_pkt_size: \d+  max_pkt_size: \d+\n(?:     imix_weights: (?:\d+,\d+ )+\n)?"
    rb"     frags: \d+  delay: \d+  clone_skb: \d+  ifname: \S+\n     flows: \d+ flowlen: \d+\n"
    rb"     queue_map_min: \d+  queue_map_max: \d+\n(?:     skb_priority: \d+\n)?"
    rb"(?:     dst_min: [\d.]*  dst_max: [\d.]*\n     src_min: [\d.]*  src_max: [\d.]*\n|"
    rb"     saddr: [0-9a-f:.]+  min_saddr: [0-9a-f:.]+  max_saddr: [0-9a-f:.]+\n"
    rb"     daddr: [0-9a-f:.]+  min_daddr: [0-9a-f:.]+  max_daddr: [0-9a-f:.]+\n)"
    rb"     src_mac: (?:[0-9a-f]{2}:){5}[0-9a-f]{2} dst_mac: (?:[0-9a-f]{2}:){5}[0-9a-f]{2}\n"
    rb"     udp_src_min: \d+  udp_src_max: \d+  udp_dst_min: \d+  udp_dst_max: \d+\n"
    rb"     src_mac_count: \d+  dst_mac_count: \d+\n(?:     mpls: [0-9a-f]{8}(?:, [0-9a-f]{8})*\n)?"
    rb"(?:     vlan_id: \d+  vlan_p: \d  vlan_cfi: \d\n)?(?:     svlan_id: \d+  vlan_p: \d  vlan_cfi: \d\n)?"
    rb"(?:     svlan_tpid: 0x88a8\n)?(?:     tos: 0x[0-9a-f]{2}\n)?(?:     traffic_class: 0x[0-9a-f]{2}\n)?"
    rb"(?:     burst: \d+\n)?(?:     node: \d+\n)?(?:     xmit_mode: [a-z_]+\n)?"
    rb"     Flags: (?:[A-Z0-9_]+  |spi:\d+  )*\n(?:     duration: \d+\n)?"
    rb"Current:\n     pkts-sofar: (?P<sofar>\d+)  errors: \d+\n(?:     imix_size_counts: (?:\d+,\d+ )+\n)?"
    rb"     started: \d+us  stopped: \d+us idle: \d+us\n"
    rb"     seq_num: -?\d+  cur_dst_mac_offset: -?\d+  cur_src_mac_offset: -?\d+\n"
    rb"     cur_saddr: [0-9a-f:.]+  cur_daddr: [0-9a-f:.]+\n     cur_udp_dst: \d+  cur_udp_src: \d+\n"
    rb"     cur_queue_map: \d+\n     flows: \d+\n(?:     ended-by: [A-Za-z ]+\n)?"
    rb"Result: [\x20-\x7e\n]+\n")
THREAD = re.compile(rb"Running: (?:[^ \n\0]+ )*\nStopped: (?:[^ \n\0]+ )*\nResult: [\x20-\x7e]+\n")
VERSION = re.compile(rb"Packet Generator for packet performance testing\. Version: 2\.75\n")

# A config, and what the listing has of it: written anew after each batch, whatever was there before
GOOD = ["mpls 0", "vlan_id 65535", "imix_weights none", "clone_skb 0", "burst 1", "frags 0", "spi 0",
        "flag " + " ".join("!" + f for f in Words.FLAGS if f not in ("SHARED", "FLOW_RND")) + " SHARED",
        "xmit_mode start_xmit", "skb_priority 0", "tos 00", "traffic_class 00", "node -1", "duration 0", "flowlen 2",
        "count 12345", "pkt_size 77", "max_pkt_size 99", "delay 7", "clone_skb 3", "flows 5", "queue_map_max 0",
        "queue_map_min 0", "dst_min 10.9.8.7", "dst_max 10.9.8.9", "src_min 1.2.3.4", "src_max 1.2.3.5",
        "src_mac 02:00:00:00:00:05", "dst_mac 02:00:00:00:00:06", "udp_src_min 1", "udp_src_max 2", "udp_dst_min 3",
        "udp_dst_max 4", "src_mac_count 8", "dst_mac_count 9"]
SHOWN = """Params: count 12345  min_pkt_size: 77  max_pkt_size: 99
     frags: 0  delay: 7  clone_skb: 3  ifname: d0
     flows: 5 flowlen: 2
     queue_map_min: 0  queue_map_max: 0
     dst_min: 10.9.8.7  dst_max: 10.9.8.9
     src_min: 1.2.3.4  src_max: 1.2.3.5
     src_mac: 02:00:00:00:00:05 dst_mac: 02:00:00:00:00:06
     udp_src_min: 1  udp_src_max: 2  udp_dst_min: 3  udp_dst_max: 4
     src_mac_count: 8  dst_mac_count: 9
     Flags: FLOW_RND  SHARED  
"""


class Fuzz:
    def __init__(self, seed):
        self.rand = random.Random(seed)
        self.words = Words(self.rand)
        self.calls = Calls(self.rand)
        self.guard = Guard()
        self.guard.start()
        # root has the right, and all memory but what write_beyond() asks for
        self.allowed = documented() - {"EPERM", "EFAULT"} | {"OK"}
        self.seen = {}
        self.faults = []
        self.done = self.taken = self.batches = 0
        self.fds = {}

    def fault(self, what):
        if len(self.faults) < 10:
            self.faults.append("after %d calls: %s" % (self.done, what))

    def run_again(self):
        """The run that has to go on: an entry of its own on CPU 1, slow enough to leave time to the rest."""
        write("pgctrl", "reset")
        put("kpktgend_1", "add_device d1")
        put("d1", "count 0", "ratep 2000", "pkt_size 100")
        put("kpktgend_0", "add_device d0")
        self.starter = threading.Thread(target=start, daemon=True)
        self.starter.start()
        end = time.monotonic() + 10
        while b"d1 " not in content("kpktgend_1").split(b"\n")[0] and time.monotonic() < end:
            time.sleep(0.01)

    def names(self):
        return [n for n in os.listdir(PG) if n != "d1"]

    def fd_of(self, name):
        """A file that is open for longer, or one opened now with flags of any kind."""
        r = self.rand
        if name in self.fds and r.randrange(3):
            return self.fds[name], False
        flags = os.O_RDWR | r.choice([0, 0, os.O_APPEND, os.O_NONBLOCK, os.O_SYNC, os.O_TRUNC])
        fd = os.open(PG + name, flags)
        if len(self.fds) < 20 and name not in self.fds:
            self.fds[name] = fd
            return fd, False
        return fd, True

    def one(self, name):
        """One call on one file. Whether it may have ended the run."""
        r, calls = self.rand, self.calls
        try:
            fd, close = self.fd_of(name)
        except OSError as e:
            if e.errno != errno.ENOENT:
                self.fault("open %s: %s" % (name, e))
            return False
        kind = r.randrange(20)
        data = self.words.data(name)
        self.guard.since = time.monotonic()
        if kind < 4:
            what, got, allowed = "read", calls.read(fd), {"OK", "EINVAL", "EIO", "ENODEV"}
        elif kind == 4:
            what, got, allowed = "read beyond", calls.read_beyond(fd), {"OK", "EFAULT", "EIO", "ENODEV"}
        elif kind == 5:
            what, got, allowed = "odd call", calls.odd(fd), FOREIGN | {"OK"}
        else:
            call, more = {6: (calls.write_beyond, {"EFAULT"}), 7: (calls.pwrite, {"ESPIPE"}), 8: (calls.writev, set()),
                          9: (calls.splice, {"EAGAIN"}), 10: (calls.sendfile, set()), 11: (calls.seek_write, set()),
                          12: (calls.writev, set())}.get(kind, (calls.write, set()))
            what, got, allowed = call.__name__, call(fd, data), self.allowed | more
        self.guard.since = None
        if close:
            os.close(fd)
        self.done += 1
        self.taken += got == "OK"
        self.seen[got] = self.seen.get(got, 0) + 1
        if got not in allowed:
            self.fault("%s of %r to %s: %s" % (what, data[:80], name, got))
        return kind > 5 and ends_runs(name, data) or what == "writev" and name in ("pgctrl", "kpktgend_1")

    def check_listings(self):
        for name in os.listdir(PG):
            try:
                text = content(name)
            except OSError as e:
                self.fault("read of %s: %s" % (name, e))
                continue
            form = VERSION if name == "pgctrl" else THREAD if name.startswith("kpktgend_") else LISTING
            if not form.fullmatch(text):
                self.fault("%s is listed as %r" % (name, text))

    def check_good(self):
        """A config can be written whatever came before, by one write and by one line each."""
        write("kpktgend_0", "rem_device d0")
        write("kpktgend_1", "rem_device d0")
        if write("kpktgend_0", "add_device d0") != "OK":
            self.fault("add_device d0: %s" % content("kpktgend_0"))
            return
        for line in [self.words.entry_line() for _ in range(5)]:
            write("d0", line)
        got = [write("d0", line) for line in GOOD] if self.rand.randrange(2) else [write("d0", "\n".join(GOOD))]
        if set(got) != {"OK"} or params("d0") != SHOWN:
            self.fault("the good config: %s\n%s" % (got, read("d0")))

    def sofar(self):
        found = LISTING.fullmatch(content("d1"))
        return int(found["sofar"]) if found else -1

    def batch(self):
        self.batches += 1
        before, ended, stops = self.sofar(), False, self.guard.stops
        for _ in range(self.rand.choice([1, 5, 20, 60])):
            ended |= self.one(self.rand.choice(self.names()))
        self.check_listings()
        if not ended and self.guard.stops == stops:
            time.sleep(0.003)
            if b"d1 " not in content("kpktgend_1").split(b"\n")[0] or self.sofar() <= before:
                self.fault("the run does not go on: %s" % read("d1"))
        self.check_good()
        if ended or self.guard.stops != stops or self.batches % 50 == 0:
            self.close()
            self.run_again()

    def close(self):
        for fd in self.fds.values():
            os.close(fd)
        self.fds = {}


def fuzz(seconds):
    seconds = int(os.environ.get("PGX_SECONDS", seconds))
    seed = int(os.environ.get("PGX_SEED", 20261201))
    print("# PGX_SEED=%d PGX_SECONDS=%d" % (seed, seconds), flush=True)
    add_dummy("d0")
    add_dummy("d1")
    equal("parameters in the reference", len(rows()) > 40, True)
    run = Fuzz(seed)
    run.run_again()
    lines = len(sh("dmesg").splitlines())
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(run.faults) < 10:
        run.batch()
    run.close()
    write("pgctrl", "reset")
    run.starter.join(10)
    ok("a start returns after the last reset", not run.starter.is_alive())
    ok("%d calls in %d batches, %d of them taken" % (run.done, run.batches, run.taken), not run.faults,
       "\n".join(run.faults))
    # what is never met is not tried
    missing = {"OK", "EINVAL", "ERANGE", "E2BIG", "EBUSY", "ENODEV", "EFAULT", "ESPIPE"} - set(run.seen)
    ok("what came of them: %s" % run.seen, not missing, missing)
    said = len(sh("dmesg").splitlines()) - lines
    ok("the kernel log grew by %d lines" % said, said < run.batches + 20, sh("dmesg | tail -n 20"))
    finish()


if __name__ == "__main__":
    fuzz(15)
