# SPDX-License-Identifier: GPL-2.0
# pgx: timeout 100
"""A suspend while entries run, as far as to frozen tasks (pm_test; this machine's root is on a device that can not be
suspended). Threads that never sleep have to be frozen too, and afterwards everything works."""
import os
import time
from pgx import SLOW, add_dummy, equal, finish, ok, put, skip_case, start, tell, value, wait_until, write

POWER = "/sys/power/"
DELAY = "/sys/module/suspend/parameters/pm_test_delay"


def pkts(name):
    return int(value(name, "pkts-sofar:"))


def suspended():
    """One entry sends all the time, one waits for its time most of it."""
    put("d0", "count 0", "burst 8")
    put("d1", "count 0", "delay 50ms")
    pid = os.fork()
    if not pid:
        os._exit(start() != "OK")
    ok("both run", wait_until(5, lambda: pkts("d0") and pkts("d1")))
    equal("tasks are frozen", (tell(POWER + "pm_test", "freezer"), tell(POWER + "state", "freeze")), ("OK", "OK"))
    before = pkts("d0")
    went_on = wait_until(1, lambda: pkts("d0") > before)
    print("# the run %s" % ("went on" if went_on else "has ended: " + value("d0", "ended-by:")))
    write("pgctrl", "stop")
    equal("start returns", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
    put("d0", "count 100")
    put("d1", "count 3", "delay 0")
    began = time.monotonic()
    equal("and can be called again", (start(), pkts("d0"), pkts("d1")), ("OK", 100, 3))
    ok("at once", time.monotonic() - began < 2 * SLOW)


if not os.path.exists(POWER + "pm_test"):
    skip_case("the kernel has no test of a suspend")
tell(DELAY, "1")
add_dummy("d0")
add_dummy("d1")
put("kpktgend_0", "add_device d0")
put("kpktgend_1", "add_device d1")
for _ in range(3):
    suspended()
tell(POWER + "pm_test", "none")
finish()
