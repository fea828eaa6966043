# SPDX-License-Identifier: GPL-2.0
# Pace, duration and the figures of a result. Bounds are wide: the guest's clock is right, its CPU is slow.
import re
import time
from pgx import SLOW, add_dummy, add_veth, equal, finish, ok, put, result, sh, start, value

add_veth("v0", "v1")
add_dummy("d0")
put("kpktgend_0", "add_device v0")
put("kpktgend_1", "add_device d0")
put("v0", "count 1")


def run(*lines):
    """Seconds that a run took, work and idle, and packets, as its result has it."""
    put("d0", *lines)
    start()
    found = re.match(r"OK: (\d+)\(c(\d+)\+d(\d+)\) usec, (\d+) \((\d+)byte,(-?\d+)frags\)\n"
                     r"  (\d+)pps (\d+)Mb/sec \((\d+)bps\) errors: (\d+)$", result("d0"))
    if not ok("result has its form", found, result("d0")):
        finish()
    return [int(g) for g in found.groups()]


def near(description, got, want, share):
    """Never early; late by a share, or more where the last packet waits longer for its CPU."""
    ok(description, want * (1 - share) <= got <= want * (1 + share * SLOW), "got %s, want about %s" % (got, want))


us, work, idle, n, size, frags, pps, mbit, bps, errors = run("count 101", "delay 10ms", "pkt_size 60")
near("100 gaps of 10 ms take a second", us, 1000000, 0.05)
ok("most of it is idle", idle > 800000, idle)
ok("work and idle make the whole", abs(us - work - idle) <= 1, (us, work, idle))
equal("packets per second follow", pps, n * 10 ** 9 // (us * 1000) if n * 10 ** 9 // (us * 1000) == pps else pps)
equal("bits per second follow", (bps, mbit), (pps * 60 * 8, pps * 60 * 8 // 10 ** 6))
equal("listing of a delay", value("d0", "delay:"), "10000000")

us = run("count 501", "delay 0", "ratep 1000")[0]
near("ratep 1000: 500 gaps take half a second", us, 500000, 0.05)
us = run("count 501", "burst 50")[0]
near("and do so in bursts of 50 too", us, 500000, 0.12)
us = run("count 501", "rate 1", "burst 1", "pkt_size 125")[0]
near("rate 1 Mbit/s: 125 bytes take a millisecond", us, 500000, 0.05)
us = run("count 501", "burst 50")[0]
near("rate holds in bursts of 50", us, 500000, 0.12)
put("d0", "pkt_size 60", "rate 100")
equal("rate 100 as a delay", value("d0", "delay:"), "4800")
put("d0", "rate 300M")
equal("rate 300M as a delay", (result("d0"), value("d0", "delay:")), ("OK: rate=300", "1600"))
put("d0", "ratep 3")
equal("ratep 3 as a delay", (result("d0"), value("d0", "delay:")), ("OK: rate=3", "333333333"))
put("d0", "delay 2147483647")
equal("delay for ever", result("d0"), "OK: delay=18446744073709551615")

put("d0", "delay 0", "burst 1", "count 0", "duration 500ms")
began = time.monotonic()
us, n = [run()[i] for i in (0, 3)]
near("duration ends a run without count", us, 500000, 0.1)
ok("which has sent packets", n > 100, n)
put("d0", "count 5", "duration 10s")
us, n = [run()[i] for i in (0, 3)]
ok("count ends a run before its duration", n == 5 and us < 5000000, (n, us))
us, n = [run("count 0", "delay 2147483647", "duration 300ms")[i] for i in (0, 3)]
ok("duration ends a run that never sends", n == 0 and 290000 <= us < 600000, (n, us))
sh("tc qdisc add dev d0 root pfifo limit 0")
n, errors = [run("xmit_mode queue_xmit", "ratep 1000", "duration 1s")[i] for i in (3, 9)]
ok("packets that the qdisc drops keep the pace too", n == 0 and 900 <= errors <= 1100, (n, errors))
sh("tc qdisc del dev d0 root")
ok("all of that was bounded", time.monotonic() - began < 10 * SLOW)
finish()
