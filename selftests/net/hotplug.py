# SPDX-License-Identifier: GPL-2.0
# pgx: noload
"""A CPU goes and comes back: its runs end with a reason, its thread returns with it, nothing is lost."""
import os
import threading

from pgx import (PG, add_dummy, equal, finish, later, ok, put, read, result, sh, start, value,
                 wait_until, write)

ONLINE = "/sys/devices/system/cpu/cpu1/online"


def online(on):
    with open(ONLINE, "w") as f:
        f.write("01"[on])


def tasks():
    """CPU of each thread of ours, by its name."""
    lines = sh("ps -e -o comm=,psr= | grep '^kpktgend_' || true").split("\n")
    return dict(line.split() for line in lines if line)


def ended(name):
    lines = [line.strip() for line in read(name).splitlines() if "ended-by:" in line]
    return lines[0] if lines else ""


later("echo 1 > " + ONLINE)
online(False)
sh("insmod %s" % os.environ["PGX_KO"])
equal("a CPU that is not there has no file", os.path.exists(PG + "kpktgend_1"), False)
online(True)
ok("it gets one when it comes", os.path.exists(PG + "kpktgend_1"))

add_dummy("d0")
put("kpktgend_0", "add_device d0@0")
put("kpktgend_1", "add_device d0@1")
put("d0@0", "count 1000")
put("d0@1", "count 0")
equal("the thread is on its CPU", tasks().get("kpktgend_1"), "1")

starter = threading.Thread(target=start)
starter.start()
ok("both run or have run", wait_until(5, lambda: int(value("d0@1", "pkts-sofar:")) > 0 and
                                      int(value("d0@0", "pkts-sofar:")) == 1000))
online(False)
starter.join(5)
ok("start returns when the CPU goes", not starter.is_alive())
equal("the run says why it ended", ended("d0@1"), "ended-by: CPU offline")
equal("the other one was not touched", ended("d0@0"), "ended-by: count")
ok("its result stands", result("d0@1").startswith("OK: "), result("d0@1"))
equal("its thread has gone", "kpktgend_1" in tasks(), False)

equal("settings can be written meanwhile", write("d0@1", "count 77"), "OK")
equal("and are there", value("d0@1", "count"), "77")
equal("counters can be cleared", write("d0@1", "clear_counters"), "OK")
equal("an entry can not be added", write("kpktgend_1", "add_device d0@2"), "ENODEV")
ok("with a reason", "offline" in read("kpktgend_1"), read("kpktgend_1"))
equal("nothing can start", start(), "ENODEV")
ok("with a reason too", "offline" in result("d0@1"), result("d0@1"))
sent = value("d0@0", "pkts-sofar:")
equal("and nothing did", sent, "1000")

online(True)
equal("the thread is back, on its CPU", tasks().get("kpktgend_1"), "1")
equal("start works again", start(), "OK")
equal("all packets are sent", value("d0@1", "pkts-sofar:"), "77")

put("d0@1", "count 0")
for _ in range(5):
    starter = threading.Thread(target=start)
    starter.start()
    wait_until(5, lambda: read("kpktgend_1").startswith("Running: d0@1"))
    online(False)
    starter.join(5)
    online(True)
ok("going and coming while it starts", not starter.is_alive())

online(False)
equal("an entry of an absent CPU can be removed", write("kpktgend_1", "rem_device d0@1"), "OK")
sh("rmmod pktgen_ext")
online(True)
ok("and the module unloaded", not os.path.exists(PG))
finish()
