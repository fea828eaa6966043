# SPDX-License-Identifier: GPL-2.0
# The queue of each packet, as the receiving driver counts it, and what happens to numbers beyond the last queue.
import re
from pgx import add_veth, add_dummy, equal, finish, ok, params, put, sh, start, value, wait_until

add_veth("v0", "v1", "numtxqueues 4 numrxqueues 4")
sh("ethtool -K v1 gro on; ethtool -K v0 tso off")  # makes the driver receive by NAPI, which counts per queue
put("kpktgend_1", "add_device v0")
put("v0", "count 12")


def queues():
    return [int(n) for n in re.findall(r"rx_queue_\d_xdp_packets: (\d+)", sh("ethtool -S v1"))]


def spread(*lines):
    """Packets per queue of one run."""
    put("v0", *lines)
    before = queues()
    start()
    wait_until(5, lambda: sum(queues()) - sum(before) >= int(value("v0", "count")))
    return [b - a for a, b in zip(before, queues())]


equal("queue 0 by default", spread(), [12, 0, 0, 0])
equal("a range in order", spread("queue_map_min 1", "queue_map_max 3"), [0, 4, 4, 4])
equal("QUEUE_MAP_CPU on thread 1", spread("flag QUEUE_MAP_CPU"), [0, 12, 0, 0])
got = spread("flag !QUEUE_MAP_CPU QUEUE_MAP_RND", "queue_map_min 2", "count 400")
ok("QUEUE_MAP_RND stays in the range and reaches all of it",
   got[:2] == [0, 0] and sum(got) == 400 and min(got[2:]) > 100, got)

# C67
add_dummy("d0")
put("kpktgend_0", "add_device d0")
put("d0", "queue_map_min 7", "queue_map_max 9", "count 10")
put("kpktgend_1", "rem_device_all")
before = sh("dmesg | grep -c queue_map", False)
equal("C67: start with queues that are not there", start(), "OK")
equal("C67: one line in the log", int(sh("dmesg | grep -c queue_map")) - int(before), 1)
equal("C67: the listing has the queues in use", (value("d0", "queue_map_min:"), value("d0", "queue_map_max:")),
      ("0", "0"))
equal("C67: all packets are sent", value("d0", "pkts-sofar:"), "10")
ok("settings are listed", "queue_map_min: 0" in params("d0"))
finish()
