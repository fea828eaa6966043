# SPDX-License-Identifier: GPL-2.0
# A driver with a ring: its queue stops when the ring is full, which is waited for and no error.
from pgx import equal, finish, ok, put, result, sh, start, value, wait_until

sh("modprobe -q e1000", False)
name = sh("ls -d /sys/class/net/*/device 2>/dev/null | cut -d / -f 5", False).split()
if not name:
    print("ok 1 a network card # SKIP there is none that this kernel has the driver of")
    print("1..1")
    raise SystemExit
dev = name[0]
sh("sysctl -qw net.ipv6.conf.%s.disable_ipv6=1; ip link set %s up" % (dev, dev))
wait_until(10, lambda: open("/sys/class/net/%s/carrier" % dev).read() == "1\n")
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
