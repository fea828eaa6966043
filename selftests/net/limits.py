# SPDX-License-Identifier: GPL-2.0
# pgx: noload
# pgx: slow
# pgx: timeout 240
"""The ends of what can be asked for, each with what has to come of it by arithmetic: bursts, counts, sizes, flows, delays,
rates; many entries on a thread, many namespaces, every CPU busy."""
import os
import re
import statistics
import subprocess
import time
from pgx import (PG, SLOW, Sniffer, add_dummy, add_veth, anywhere, coming_home, dissect, enter, equal, finish, insert, number,
                 ok, put, read, result, sh, start, tx_packets, unshare, value, wait_until, write)

NAMESPACES = 200


def tx_bytes(dev):
    return number("/sys/class/net/%s/statistics/tx_bytes" % dev)


def fresh(*lines):
    put("kpktgend_0", "rem_device_all\nadd_device d0")
    put("d0", "\n".join(lines))


def run(*lines):
    """The answer to start, packets as the entry and as the device counted them, bytes of the latter, the number of the
    next packet."""
    fresh(*lines)
    before = tx_packets("d0"), tx_bytes("d0")
    answer = start()
    return (answer, int(value("d0", "pkts-sofar:")), tx_packets("d0") - before[0], tx_bytes("d0") - before[1],
            int(value("d0", "seq_num:")))


def sent(n, size):
    return "OK", n, n, n * size, n + 1


def refused(line, error):
    """The line is refused with this error, and what was there stays."""
    before = read("d0").split("Current:")[0]
    got = write("d0", line)
    equal("%s is refused, and nothing has changed" % line, (got, read("d0").split("Current:")[0] == before), (error, True))


def in_background(function):
    """Its answer as an exit code: 0 for True."""
    pid = os.fork()
    if not pid:
        try:
            os._exit(not function())
        finally:
            os._exit(2)
    return lambda: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def bursts():
    equal("one burst of 65536", run("burst 65536", "count 65536", "pkt_size 60"), sent(65536, 60))
    equal("a packet more is a burst more", run("burst 65536", "count 65537", "pkt_size 60"), sent(65537, 60))
    equal("a packet less", run("burst 65536", "count 65535", "pkt_size 60"), sent(65535, 60))
    equal("one packet", run("burst 65536", "count 1", "pkt_size 60"), sent(1, 60))
    refused("burst 65537", "ERANGE")
    fresh("xmit_mode netif_receive", "burst 65536", "count 100000", "pkt_size 60")
    # the destination MAC is of no host here, so that IP drops each
    equal("one and a half into the receive path", (start(), value("d0", "pkts-sofar:"), value("d0", "errors:")),
          ("OK", "100000", "100000"))


def counts():
    most = str((1 << 64) - 1)
    fresh("count " + most, "burst 64")
    equal("count 2^64 - 1", value("d0", "count"), most)
    ended = in_background(lambda: start() == "OK")
    ok("it runs", wait_until(5, lambda: int(value("d0", "pkts-sofar:")) > 0))
    equal("and is stopped", (write("pgctrl", "stop"), ended(), value("d0", "ended-by:")), ("OK", 0, "stop"))
    refused("count 18446744073709551616", "ERANGE")
    put("d0", "count 18446744073G")
    equal("the largest count with a suffix", value("d0", "count"), "18446744073000000000")
    refused("count 18446744074G", "ERANGE")


def sizes():
    sh("ip link set d0 mtu 65535")
    equal("frames of 65549 bytes", run("pkt_size 65549", "count 20"), sent(20, 65549))
    # of Ethernet, IPv4, UDP, and 16 bytes that every packet has
    equal("the shortest have 58", run("pkt_size 42", "count 20"), sent(20, 58))
    refused("pkt_size 65550", "ERANGE")
    total = (58 + 65549) * 65492 // 2
    equal("each size once, both ends too", run("min_pkt_size 42", "max_pkt_size 65549", "count 65492"),
          ("OK", 65492, 65492, total, 65493))
    sh("ip link set d0 mtu 1500")
    fresh("pkt_size 65549", "count 1")
    equal("a device that does not send them", (start(), "1518" in result("d0")), ("ERANGE", True))
    wire()


def wire():
    """The longest frame as it arrives: 14 bytes, and an IPv4 packet of 65535."""
    add_veth("v0", "v1", "mtu 65535")
    put("kpktgend_0", "rem_device_all\nadd_device v0")
    put("v0", "pkt_size 65549\ncount 2\nsrc_min 10.1.0.1\ndst 10.1.0.2\nflag UDPCSUM")
    tap = Sniffer("v1", anywhere)
    start()
    frames = tap.frames(2)
    tap.close()
    equal("two frames of 65549 arrive", [len(frame) for frame in frames], [65549] * 2)
    if frames:
        found = dissect(frames[0])
        equal("lengths and sums of it are right", (found["iplen"], found["udplen"], found["udp_good"], found["wrong"]),
              (65535, 65515, True, []))


def flows():
    base = ("dst_min 10.0.0.0", "dst_max 10.255.255.255", "flows 65536")

    def made(packets, *lines):
        fresh("count %d" % packets, *base, *lines)
        return start(), int(re.findall(r"flows: (\d+)", read("d0"))[-1]), value("d0", "cur_daddr:")

    # every two packets a new one, in all places and one once more: 10.0.0.0 and 65536 more
    equal("65536 flows of two packets, and one more", made(131073, "flag FLOW_SEQ", "flowlen 2"),
          ("OK", 65537, "10.1.0.0"))
    equal("flows that never end", made(70000, "flag FLOW_SEQ", "flowlen 4294967295"), ("OK", 1, "10.0.0.0"))
    equal("flows of one packet each, drawn", made(70000, "flowlen 1"), ("OK", 70000, "10.1.17.111"))
    put("d0", "flows 65537")
    equal("more are as many", result("d0"), "OK: flows=65536")
    put("d0", "flows 4294967295", "flows 0")
    refused("flowlen 4294967296", "ERANGE")


def delays():
    def after(seconds, *lines):
        """Packets that a run of this time has sent, and how it ended."""
        fresh("count 0", "duration %dms" % (seconds * 1000), *lines)
        return start(), int(value("d0", "pkts-sofar:")), value("d0", "ended-by:")

    # U64_MAX ns and 2147483647 mean never, one less is a time: 584 years
    equal("delay for ever", after(0.3, "delay 18446744073709551615"), ("OK", 0, "duration"))
    equal("the longest delay", after(0.3, "delay 18446744073709551614"), ("OK", 1, "duration"))
    equal("2147483646 ns", after(0.3, "delay 2147483646"), ("OK", 1, "duration"))
    refused("delay 18446744073709551616", "ERANGE")
    equal("the shortest", run("delay 1", "count 1000", "pkt_size 60"), sent(1000, 60))
    fresh("delay 18446744073709551615", "count 3")
    ended = in_background(lambda: start() == "OK")
    wait_until(5, lambda: "d0" in read("kpktgend_0").split("Stopped:")[0])
    equal("one that waits for ever goes on when told", (write("d0", "delay 0"), ended(), value("d0", "pkts-sofar:")),
          ("OK", 0, "3"))


def rates():
    def paced(ms, *lines):
        fresh("count 0", "duration %dms" % ms, "pkt_size 60", *lines)
        return start(), int(value("d0", "pkts-sofar:"))

    # 480 bits at 1000 bit/s: 0, 480, 960 ms; a packet a second: 0, 1 s
    equal("the lowest rate", paced(1200, "rate 1k"), ("OK", 3))
    equal("the lowest ratep", paced(1500, "ratep 1"), ("OK", 2))
    equal("the lowest of both with the longest burst: the next is due in 18 hours", paced(300, "ratep 1", "burst 65536"),
          ("OK", 65536))
    equal("the longest time that a rate can ask for", paced(300, "rate 1k", "burst 65536"), ("OK", 65536))
    equal("the highest ratep", run("ratep 1000000000", "count 70000", "burst 65536", "pkt_size 60"), sent(70000, 60))
    equal("the highest rate", run("rate 10000G", "count 1000", "pkt_size 60"), sent(1000, 60))
    refused("ratep 1000000001", "ERANGE")
    refused("rate 10001G", "ERANGE")
    refused("rate 0", "EINVAL")


def many_entries():
    names = ["d0"] + ["d0@%d" % i for i in range(1, 64)]
    put("kpktgend_0", "rem_device_all\n" + "\n".join("add_device " + name for name in names))
    for name in names:
        put(name, "count 500\nburst 8")
    before = tx_packets("d0")
    equal("64 entries on one thread", start(), "OK")
    equal("each sent its own", {value(name, "pkts-sofar:") for name in names}, {"500"})
    equal("the device counts all", tx_packets("d0") - before, 64 * 500)
    for name in names:
        put(name, "count 50\nburst 1\nratep 100")
    began = time.monotonic()
    equal("each with a pace of its own", (start(), {value(name, "pkts-sofar:") for name in names}), ("OK", {"50"}))
    took = time.monotonic() - began
    ok("49 gaps of 10 ms take 0.49 s for all together", 0.49 <= took < 1.5 * SLOW, took)
    for name in names:
        put(name, "count 0\ndelay 0\nduration 600ms")
    start()
    shares = [int(value(name, "pkts-sofar:")) for name in names]
    ok("by turns: shares of an open run differ by less than a tenth", max(shares) - min(shares) <= max(3, max(shares) / 10),
       shares)
    put("kpktgend_0", "rem_device_all")


class Namespaces:
    """Many, one after the other, each kept by its descriptor; and the time that each took."""

    def __init__(self, count):
        self.kept, self.times = [], []
        with coming_home():
            for _ in range(count):
                began = time.monotonic()
                unshare()
                self.times.append(time.monotonic() - began)
                self.kept.append(os.open("/proc/self/ns/net", os.O_RDONLY))

    def end(self):
        for fd in self.kept:
            os.close(fd)
        self.kept = []
        # their end is work for later: one more is waited for, which a lock keeps behind it
        time.sleep(1)
        Namespaces(1)


def threads():
    return len(sh("pgrep kpktgend", check=False).split())


def many_namespaces():
    """Without the module, with it, and the same again in the other order."""
    times = {False: [], True: []}
    loaded = True
    for wanted in False, True, True, False, False, True:
        if loaded != wanted:
            sh("rmmod pktgen_ext") if loaded else insert()
            loaded = wanted
        some = Namespaces(NAMESPACES // 4)
        times[wanted] += some.times
        some.end()
    without, with_it = ([q * 1000 for q in statistics.quantiles(times[key], n=4)] for key in (False, True))
    print("# ms of a namespace, quartiles: %s without the module, %s with it" % tuple(
        ", ".join("%.2f" % q for q in some) for some in (without, with_it)))
    # a busy host makes all slow for a while, so those that it left alone are looked at
    ok("the module is within what differs from one namespace to the next", with_it[0] < without[1], times)

    all_of_them = Namespaces(NAMESPACES)
    equal("%d namespaces have no thread" % NAMESPACES, threads(), 0)
    with coming_home():
        enter(all_of_them.kept[-1])
        sh("ip link add n0 type dummy; ip link set n0 up")
        with open("/proc/thread-self/net/pktgen_ext/kpktgend_1", "w") as f:
            f.write("add_device n0")
        equal("one entry in one of them, one thread", threads(), 1)
    began = time.monotonic()
    sh("rmmod pktgen_ext")
    took = time.monotonic() - began
    ok("the module leaves them all in %.2f s, less than 5" % took, took < 5 * SLOW)
    began = time.monotonic()
    insert()
    took = time.monotonic() - began
    ok("and comes to all in %.2f s, less than 5" % took, took < 5 * SLOW)
    all_of_them.end()


def all_busy(seconds):
    """Every CPU sends without end, in each door; how long a new process takes meanwhile."""
    cpus = [name for name in os.listdir(PG) if name.startswith("kpktgend_")]
    put("pgctrl", "reset")
    for cpu in cpus:
        put(cpu, "add_device d0@" + cpu)
    worst, shells = 0, 0
    doors = "start_xmit", "netif_receive", "queue_xmit"
    for door, burst in zip(doors, (65536, 64, 1)):
        for cpu in cpus:
            put("d0@" + cpu, "burst 1\nxmit_mode %s\nburst %d\ncount 0" % (door, burst))
        ended = in_background(lambda: start() == "OK")
        end = time.monotonic() + seconds / len(doors)
        while time.monotonic() < end:
            began = time.monotonic()
            subprocess.run(["sh", "-c", "true"])
            worst, shells = max(worst, time.monotonic() - began), shells + 1
            time.sleep(0.05)
        sofar = [int(value("d0@" + cpu, "pkts-sofar:")) for cpu in cpus]
        equal("%s on all CPUs, count 0: stop" % door, (write("pgctrl", "stop"), ended()), ("OK", 0))
        print("# %s: %s packets" % (door, sofar))
        ok("%s: every CPU has sent" % door, min(sofar) > 0, sofar)
    ok("%d shells in %d s, the slowest took %.2f s" % (shells, seconds, worst), worst < 2 * SLOW and shells > seconds / SLOW,
       (shells, worst))


def main():
    insert()
    add_dummy("d0")
    for part in bursts, counts, sizes, flows, delays, rates, many_entries:
        part()
    all_busy(20)
    many_namespaces()
    sh("rmmod pktgen_ext")
    finish()


if __name__ == "__main__":
    main()
