# SPDX-License-Identifier: GPL-2.0
# pgx: noload
# pgx: timeout 240
"""Memory that is not there. Each allocation that the module asks for, and each that is made for it below, fails in turn:
when it is loaded, a namespace comes, an entry is added, a parameter written, a file read, a run started, a device renamed,
a CPU brought back. Every time the answer says so, nothing is left behind, and the same works right after. In the packet path
half of all allocations fail, and the run is exact all the same. Needs the kernel's fault injection."""
import fcntl
import functools
import os
import socket
import struct
from pgx import (PG, add_dummy, coming_home, equal, finish, insert, ok, outcome, put, read, result, sh, skip_case, start, tell,
                 tx_packets, unshare, value, write)

DEBUG = "/sys/kernel/debug/"
KINDS = "failslab", "fail_page_alloc"
NTH = "/proc/thread-self/fail-nth"
MOST = 60
SIOCSIFNAME = 0x8923	# sockios.h


def fault(name, text):
    for path in (DEBUG + "%s/%s" % (kind, name) for kind in KINDS):
        # of pages and of slabs there is one setting each that the other has not
        answer = tell(path, text) if os.path.exists(path) else "OK"
        if answer != "OK":
            ok("%s takes %s" % (path, text), False, answer)


@functools.lru_cache
def symbol(name):
    """Where a function of the kernel begins, and the next one."""
    table = sorted(int(line.split()[0], 16) for line in open("/proc/kallsyms") if line.split()[1] in "tT")
    at = int(sh("grep -m 1 ' [tT] %s$' /proc/kallsyms" % name).split()[0], 16)
    return at, next(other for other in table if other > at)


def only_the_module():
    """Nothing else is to fail, nor the notes of the one who looks for leaks, who does without."""
    with open("/sys/module/pktgen_ext/sections/.text") as f:
        begin = int(f.read(), 16)
    sizes = [line.split() for line in sh("readelf -SW " + os.environ["PGX_KO"]).replace("[ ", "[").splitlines()]
    size = next(int(words[5], 16) for words in sizes if words[1:2] == [".text"])
    fault("require-start", "%#x" % begin)
    fault("require-end", "%#x" % (begin + size))
    spare("__alloc_object")


def spare(function):
    """What this function of the kernel asks for is always there. There can be one at a time."""
    begin, end = symbol(function)
    fault("reject-start", "%#x" % begin)
    fault("reject-end", "%#x" % end)


def fail(n):
    with open(NTH, "w") as f:
        f.write(str(n))


def pending():
    with open(NTH) as f:
        return int(f.read())


def each_fails(title, action, good, undo=lambda: None, least=1):
    """action, with its first allocation failing, its second...; good(answer) says whether an answer to that is right, where
    it is not OK: a cache that grows asks for large pages, and does with small ones. At least so many must not be OK."""
    wrong, seen = [], []
    for n in range(1, MOST):
        fail(n)
        got = action()
        if pending():
            fail(0)
            break
        seen.append(got)
        if got != "OK" and not good(got):
            wrong.append((n, got))
        undo()
    ok("%s: %d allocations fail, each with the right answer" % (title, len(seen)), len(seen) - seen.count("OK") >= least and
       not wrong and n + 1 < MOST, wrong or seen)
    equal("%s: then it works" % title, got, "OK")
    undo()
    return seen


def unload():
    if os.path.exists(PG):
        sh("rmmod pktgen_ext")


def in_namespace():
    """A namespace of this thread's own, and back."""
    with coming_home():
        return outcome(unshare)


def rename(old, new):
    with socket.socket() as sock:
        return outcome(lambda: fcntl.ioctl(sock, SIOCSIFNAME, struct.pack("16s16s", old.encode(), new.encode())))


def entries():
    return sorted(f for f in os.listdir(PG) if f[0] == "f")


def added(line):
    got = write("kpktgend_0", line)
    return got if got == "OK" else "%s | %s | %s" % (got, result("kpktgend_0") if not pending() else "", entries())


def not_added(got):
    """ENOMEM and no entry."""
    return got.startswith("ENOMEM") and got.endswith("| []")


def no_thread_yet():
    """As it is after loading: a thread that was made stays."""
    unload()
    equal("it loads", insert(), "OK")
    only_the_module()


def set_line(line):
    """The file's answer to a line that must be refused whole."""
    def action():
        wanted = pending()
        fail(0)
        before = read("f0").split("Current:")[0]
        fail(wanted)
        got = write("f0", line)
        if got == "OK":
            return got
        return "%s | %s" % (got, "as before" if read("f0").split("Current:")[0] == before else "changed")
    return action


def half_fail(on):
    fault("times", "-1")
    fault("probability", "50" if on else "0")


if not os.path.exists(DEBUG + "failslab/require-start"):
    skip_case("the kernel has no fault injection")

fault("verbose", "0")
fault("ignore-gfp-wait", "N")
fault("ignore-gfp-highmem", "N")
fault("min-order", "0")
fault("times", "-1")
fault("stacktrace-depth", "32")
add_dummy("f0")
no_thread_yet()

# Where the thread takes its memory another way, one round may end before the file's turn.
REASONS = "its thread can not be made", "out of memory", "its file can not be made"
said = []
for _ in range(4):
    said += each_fails("add_device", lambda: added("add_device f0"), not_added, no_thread_yet, 4)
    if all(any(reason in answer for answer in said) for reason in REASONS):
        break
for reason in REASONS:
    ok("add_device says: " + reason, any(reason in answer for answer in said), said)
put("kpktgend_0", "add_device f0")
for text in "flows 1000", "count 7", "frags 3", "imix_weights 64,1 576,2", "udp_src_max 4000":
    each_fails(text, set_line(text), lambda got: got == "ENOMEM | as before")
put("f0", "imix_weights none", "frags 0")


def readable():
    return outcome(lambda: read("f0"))


each_fails("reading", readable, lambda got: got == "ENOMEM", least=0)
put("f0", "count 9")
each_fails("start", start, lambda got: got == "ENOMEM", least=0)
equal("and a run is exact", (start(), value("f0", "pkts-sofar:")), ("OK", "9"))

sh("ip link set f0 down")
names = ["f0", "f1"]


def renamed():
    names.reverse()
    answer = rename(*names[::-1])
    return answer if len(entries()) == 1 else "%s %s" % (answer, entries())


each_fails("rename", renamed, lambda got: False, least=0)
equal("the file follows a later name", (rename(names[0], "f9"), entries()), ("OK", ["f9"]))
write("kpktgend_0", "rem_device_all")
rename("f9", "f0")
sh("ip link set f0 up")

each_fails("a namespace", in_namespace, lambda got: got == "ENOMEM", least=3)

# the packet path, in each door: what there was no memory for is sent later. A tracker of references says in the log that it
# does without.
spare("ref_tracker_alloc")
for door in "start_xmit", "netif_receive", "queue_xmit":
    put("kpktgend_0", "rem_device_all", "add_device f0")
    put("f0", "xmit_mode " + door, "count 300", "burst 1", "clone_skb 0", "flag !SHARED")
    before, lines = tx_packets("f0"), int(sh("dmesg | wc -l"))
    half_fail(True)
    # the write and the entry's preparation are refused half of the time too
    got = next((answer for answer in (start() for _ in range(50)) if answer != "ENOMEM"), "ENOMEM")
    half_fail(False)
    equal("%s, every second allocation fails: each packet is sent" % door, (got, value("f0", "pkts-sofar:")), ("OK", "300"))
    if door == "start_xmit":
        equal("and leaves the device", tx_packets("f0") - before, 300)
    ok("%s: nothing in the log" % door, int(sh("dmesg | wc -l")) - lines < 5, sh("dmesg | tail -n 20"))
write("pgctrl", "reset")

# a CPU that comes while its file can not be made is there without one, and gets it the next time
with open("/sys/devices/system/cpu/cpu1/online", "w") as f:
    f.write("0")
unload()
equal("it loads with one CPU", insert(), "OK")
only_the_module()
fault("times", "1")
fault("probability", "100")
with open("/sys/devices/system/cpu/cpu1/online", "w") as f:
    f.write("1")
fault("probability", "0")
equal("a CPU without memory for its thread's file", sorted(f for f in os.listdir(PG) if f[0] == "k"), ["kpktgend_0"])
ok("the log says so", "no thread for CPU 1" in sh("dmesg | tail -n 20"))
for state in "0", "1":
    with open("/sys/devices/system/cpu/cpu1/online", "w") as f:
        f.write(state)
equal("it comes again, and has it", sorted(f for f in os.listdir(PG) if f[0] == "k"), ["kpktgend_0", "kpktgend_1"])
unload()

# loaded again it most often lies where it lay before
each_fails("loading", insert, lambda got: got == "ENOMEM", unload, 0)
for name in "require-start", "reject-start", "reject-end":
    fault(name, "0")
fault("require-end", str((1 << 64) - 1))
finish()
