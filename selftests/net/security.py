# SPDX-License-Identifier: GPL-2.0
# Who may write to a file, on whose namespace it acts, and that no address of the kernel is shown. See
# Documentation/security.rst.
# pgx: timeout 180
import array
import glob
import os
import re
import socket
import stat
import struct
from pgx import (CLONE_NEWNET, PG, add_dummy, checked, equal, finish, inside, later, libc, ok, outcome, put, read, sh, start,
                 write)

CLONE_NEWUSER = 0x10000000
NET_ADMIN = 12	# capability.h
FILES = {"pgctrl": "reset", "kpktgend_0": "rem_device_all", "kpktgend_1": "max_before_softirq 1", "d0": "count 77"}
HARMLESS = {"pgctrl": "stop", "kpktgend_0": "max_before_softirq 1"}


def in_child(call, *more):
    """What a function returns that a child of its own calls, as it may not come back from where it goes."""
    there, here = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            text = str(call(*more))
        except BaseException as e:
            text = repr(e)
        os.write(here, text.encode())
        os._exit(0)
    os.close(here)
    with os.fdopen(there) as f:
        text = f.read()
    os.waitpid(pid, 0)
    return text


def capset(keep):
    """Only these capabilities stay, a bit each; capability.h, version 3."""
    low, high = keep & 0xFFFFFFFF, keep >> 32
    header = struct.pack("=Ii", 0x20080522, 0)
    checked(libc.capset(header, struct.pack("=6I", low, low, 0, high, high, 0)))


def no_net_admin():
    capset((1 << 41) - 1 & ~(1 << NET_ADMIN))


def nobody():
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)


def nobody_with_net_admin():
    checked(libc.prctl(8, 1, 0, 0, 0))	# PR_SET_KEEPCAPS
    nobody()
    capset(1 << NET_ADMIN)


def root_of_user_namespace(*more):
    """Root of a new user namespace, which owns a network namespace if there is one more flag."""
    parent = os.getpid()
    checked(libc.unshare(CLONE_NEWUSER | sum(more)))
    with open("/proc/%d/setgroups" % parent, "w") as f:
        f.write("deny")
    for what in "uid_map", "gid_map":
        with open("/proc/%d/%s" % (parent, what), "w") as f:
            f.write("0 0 1")


def opened(name, flags=os.O_WRONLY):
    return os.open(PG + name, flags)


def write_fd(fd, text):
    return outcome(lambda: os.write(fd, text.encode()))


def open_and_write(become, name, text):
    become()
    got = outcome(lambda: os.close(opened(name)))
    return "write: " + write_fd(opened(name), text) if got == "OK" else "open: " + got


def state():
    """All that a write could have changed."""
    settings = read("d0").split("Current:")[0] if "d0" in os.listdir(PG) else "gone"
    return [sorted(os.listdir(PG)), settings] + [read("kpktgend_%d" % i) for i in range(2)]


def unchanged(description, call, want):
    before = state()
    got = call()
    ok(description, got == want and state() == before, "%s, want %s\n%s\n%s" % (got, want, before, state()))


add_dummy("d0")
put("kpktgend_0", "add_device d0")
for name in sorted(os.listdir(PG)):
    mode = os.stat(PG + name)
    equal("%s is root's alone" % name, (stat.S_IMODE(mode.st_mode), mode.st_uid, mode.st_gid), (0o600, 0, 0))
equal("the folder has no other files", set(os.listdir(PG)), set(FILES))

# Every file, and every kind of writer that opens it himself
for name, text in FILES.items():
    unchanged("%s: another user" % name, lambda: in_child(open_and_write, nobody, name, text), "open: EACCES")
    unchanged("%s: another user may not even read" % name,
              lambda: in_child(lambda: (nobody(), outcome(lambda: opened(name, os.O_RDONLY)))[1]), "EACCES")
    unchanged("%s: root without CAP_NET_ADMIN" % name, lambda: in_child(open_and_write, no_net_admin, name, text),
              "write: EPERM")
    unchanged("%s: root of a user namespace" % name,
              lambda: in_child(open_and_write, root_of_user_namespace, name, text), "write: EPERM")

# The right is looked at twice: who opened the file, and who writes to it
for name, text in FILES.items():
    fd = opened(name)
    for become in nobody, no_net_admin, root_of_user_namespace:
        unchanged("%s: opened by root, written to by %s" % (name, become.__name__),
                  lambda: in_child(lambda: (become(), write_fd(fd, text))[1]), "EPERM")
    equal("%s: opened by root, written to by one with CAP_NET_ADMIN alone" % name,
          in_child(lambda: (nobody_with_net_admin(), write_fd(fd, HARMLESS.get(name, text)))[1]), "OK")
    os.close(fd)
equal("that write came through", read("d0").split()[2], "77")


def pass_opened(become, path):
    """A child opens a file and hands it over; nothing of what the child is comes with it."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if not pid:
        try:
            become()
            fd = os.open(path, os.O_WRONLY)
            theirs.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))])
            ours.close()
            theirs.recv(1)
        except OSError as e:
            print("# the child: %s" % e, flush=True)
        finally:
            os._exit(0)
    theirs.close()
    _, ancillary, _, _ = ours.recvmsg(1, socket.CMSG_SPACE(4))
    return array.array("i", ancillary[0][2][:4])[0], lambda: (ours.close(), os.waitpid(pid, 0))


for name, text in FILES.items():
    fd, end = pass_opened(no_net_admin, PG + name)
    unchanged("%s: opened without CAP_NET_ADMIN, written to by root" % name, lambda: write_fd(fd, text), "EPERM")
    os.close(fd)
    end()

# A user who is root of his own namespaces owns the files there, and may read them
for name, text in list(FILES.items())[:3]:
    fd, end = pass_opened(lambda: root_of_user_namespace(CLONE_NEWNET), PG + name)
    unchanged("%s of a user's own namespace, handed to root as a program's output would be" % name,
              lambda: write_fd(fd, text), "EPERM")
    os.close(fd)
    end()
    got = in_child(open_and_write, lambda: root_of_user_namespace(CLONE_NEWNET), name, text)
    equal("%s of a user's own namespace" % name, got, "write: EPERM")
    got = in_child(lambda: (root_of_user_namespace(CLONE_NEWNET), outcome(lambda: read(name)))[1])
    equal("%s of a user's own namespace can be read" % name, got, "OK")


# Whose namespace: that of the file, wherever the writer is
sh("ip netns add a; ip -n a link add d9 type dummy; ip -n a link set d9 up")
later("ip netns del a")
fds = {name: opened(name, os.O_RDWR) for name in FILES}
with inside("a"):
    there = {name: opened(name, os.O_RDWR) for name in ("pgctrl", "kpktgend_0")}
    equal("setns after the file was opened: no device of the namespace that one is in",
          write_fd(fds["kpktgend_0"], "add_device d9"), "ENODEV")
    equal("but one of the file's", write_fd(fds["kpktgend_0"], "add_device d0@2"), "OK")
    equal("settings of an entry of the file's", write_fd(fds["d0"], "count 55\npkt_size 60"), "OK")
    equal("nothing appeared where the writer is", sorted(os.listdir(PG)), ["kpktgend_0", "kpktgend_1", "pgctrl"])
    equal("a start, likewise", write_fd(fds["pgctrl"], "start"), "OK")
equal("it sent the file's entry", (read("d0").split()[2], "pkts-sofar: 55 " in read("d0")), ("55", True))
equal("and the other way round", write_fd(there["kpktgend_0"], "add_device d9"), "OK")
equal("nothing appeared at home", set(os.listdir(PG)), set(FILES) | {"d0@2"})
equal("reset of the other", (write_fd(there["pgctrl"], "reset"), set(os.listdir(PG))), ("OK", set(FILES) | {"d0@2"}))
put("pgctrl", "reset")
for fd in [*fds.values(), *there.values()]:
    os.close(fd)

# No address of the kernel, with nothing that would hide one
with open("/proc/sys/kernel/kptr_restrict", "w") as f:
    f.write("0")
ADDRESS = re.compile(r"(?<![0-9a-f])(?:0x)?ffff[89a-f][0-9a-f]{11}(?![0-9a-f])")
with open("/proc/kallsyms") as f:
    ok("addresses are there to be seen", bool(ADDRESS.search(f.read())))
put("kpktgend_0", "add_device d0", "add_device d0@" + "x" * 150)
for lines in ("count x\nflag y", "flag IPSEC UDPCSUM", "flows 9\nfrags 0\nimix_weights 60,1 90,2", "queue_map_max 9"):
    write("d0", lines)
write("kpktgend_1", "add_device none")
start()
texts = {name: read(name) for name in os.listdir(PG)}
for path in glob.glob("/sys/module/pktgen_ext/parameters/*") + glob.glob("/proc/net/pktgen_ext/*"):
    with open(path) as f:
        texts[path] = f.read()
texts["the kernel log"] = "\n".join(line for line in sh("dmesg").splitlines() if "pktgen_ext" in line or "pgx" in line)
for name, text in sorted(texts.items()):
    ok("no address in %.40s" % name, not ADDRESS.search(text), text)
ok("the log was looked at", "queue_map lowered" in texts["the kernel log"], texts["the kernel log"])
put("pgctrl", "reset")
sources = [path for folder in (".", "control", "engine", "traffic", "measure", "compat")
           for path in glob.glob(os.path.join(os.environ["PGX_TOP"], folder, "*.[ch]"))]
printed = []
for path in sources:
    with open(path) as f:
        # addresses of the network, %pI4 and the like, are none of the kernel
        printed += ["%s: %s" % (path, text) for text in re.findall(r".*%p(?![IM]).*", f.read())]
equal("no format of the %d sources prints an address" % len(sources), (len(sources) > 25, printed), (True, []))
finish()
