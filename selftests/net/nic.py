# SPDX-License-Identifier: GPL-2.0
# A driver with a ring: its queue stops when the ring is full, which is waited for and no error.
from pgx import equal, find_card, finish, ok, put, result, sh, skip_case, start, value, wait_until

dev = find_card()
if not dev:
    skip_case("there is no network card that this kernel has the driver of")
put("kpktgend_0", "add_device " + dev)


def sent(*lines):
    """Packets that the card's own counter has for one run."""
    put(dev, *lines)
    before = int(sh("ethtool -S %s | awk '/ tx_packets:/ { print $2 }'" % dev))
    start()
    wait_until(10, lambda: int(sh("ethtool -S %s | awk '/ tx_packets:/ { print $2 }'" % dev)) - before
               >= int(value(dev, "pkts-sofar:")))
    return int(sh("ethtool -S %s | awk '/ tx_packets:/ { print $2 }'" % dev)) - before


equal("ring in use", (value(dev, "count"), sh("ethtool -g %s | awk '/^TX:/ { print $2 }' | tail -n 1" % dev).strip()),
      ("1000", "256"))
equal("bursts of four times the ring", sent("pkt_size 60", "count 5000", "burst 1024"), 5000)
equal("without an error", (value(dev, "errors:"), value(dev, "pkts-sofar:")), ("0", "5000"))
ok("result", result(dev).startswith("OK: "), result(dev))
equal("one by one", sent("burst 1", "count 500"), 500)
equal("clones, last group short", sent("clone_skb 3", "count 7"), 7)
equal("bursts, the last one short", sent("clone_skb 0", "burst 4", "count 6"), 6)
equal("through the qdisc", sent("burst 1", "xmit_mode queue_xmit", "count 600"), 600)
equal("errors of all that", value(dev, "errors:"), "0")
finish()
