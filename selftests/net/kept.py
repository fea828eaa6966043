# SPDX-License-Identifier: GPL-2.0
# pgx: needs scapy.layers.inet6 scapy.contrib.mpls
# An skb that the stack keeps is never sent again: taps, RPS, a bridge, redirects. Every copy still arrives.
from frames import faults, fields
from pgx import (Sniffer, add_dummy, add_veth, equal, finish, mac_of, number, ok, put, result, rx_packets, sh, start,
                 tx_packets, value, wait_until)

add_veth("v0", "v1")
add_dummy("d0")
add_dummy("d1")
put("kpktgend_0", "add_device d0")
put("d0", "xmit_mode netif_receive", "burst 32", "pkt_size 60", "dst_mac 90:e2:ba:ff:ff:ff", "dst 198.18.0.1")


def run(count):
    put("d0", "count %d" % count)
    start()
    equal("all %d went in" % count, value("d0", "pkts-sofar:"), str(count))


def tapped(dev, count):
    """Run, with a tap at dev; what it caught."""
    tap = Sniffer(dev)
    run(count)
    got = tap.frames(count)
    tap.close()
    return got


# A tap keeps each of them
frames = tapped("d0", 1000)
equal("a tap sees each packet", len(frames), 1000)
ok("and each is whole", not faults(frames), faults(frames))
want = [1 + i // 32 * 32 for i in range(1000)]
equal("copies of a burst carry the same number, the next burst goes on", fields(frames, "seq"), want)

# RPS hands them to the other CPU
with open("/sys/class/net/d0/queues/rx-0/rps_cpus", "w") as f:
    f.write("2")
before = sh("cut -d ' ' -f 1,2 /proc/net/softnet_stat").split()
run(1000)


def arrived():
    now = sh("cut -d ' ' -f 1,2 /proc/net/softnet_stat").split()
    return sum(int(b, 16) - int(a, 16) for a, b in zip(before, now)) >= 1000


ok("RPS: each is processed or counted as dropped", wait_until(5, arrived), sh("cat /proc/net/softnet_stat"))
with open("/sys/class/net/d0/queues/rx-0/rps_cpus", "w") as f:
    f.write("0")

# A bridge forwards them
sh("ip link add br0 type bridge && ip link set br0 up && ip link set d0 master br0 && ip link set d1 master br0")
wait_until(10, lambda: number("/sys/class/net/d1/brport/state") == 3)
wait_until(10, lambda: number("/sys/class/net/d0/brport/state") == 3)
before = tx_packets("d1")
run(1000)
ok("a bridge forwards each", wait_until(5, lambda: tx_packets("d1") - before >= 1000), tx_packets("d1") - before)
sh("ip link del br0")

# Redirects: to a device that lets go at once, to one that keeps, and into the receive path of another
sh("modprobe act_mirred; modprobe cls_matchall; modprobe sch_ingress; tc qdisc add dev d0 clsact")


def redirect(where):
    sh("tc filter del dev d0 ingress; tc filter add dev d0 ingress matchall action mirred %s" % where, False)


redirect("egress redirect dev d1")
before = tx_packets("d1")
run(1000)
equal("redirect to a dummy: each is sent", tx_packets("d1") - before, 1000)
redirect("egress redirect dev v0")
frames = tapped("v1", 1000)
equal("redirect to veth: each arrives", len(frames), 1000)
ok("and each is whole", not faults(frames), faults(frames))
redirect("egress mirror dev v0")
before = rx_packets("v1")
run(1000)
ok("mirror to veth: each arrives", wait_until(5, lambda: rx_packets("v1") - before >= 1000))
redirect("ingress redirect dev d1")
frames = tapped("d1", 100)
equal("redirect into another device's receive path", len(frames), 100)
ok("and each is whole", not faults(frames), faults(frames))
sh("tc filter del dev d0 ingress; tc filter add dev d0 ingress matchall action drop")
run(1000)
equal("dropped by a filter: the stack says so for each", value("d0", "errors:"), "1000")
# A tap keeps a clone, so the data is not ours alone when a filter wants to write to it
sh("modprobe act_pedit; tc filter del dev d0 ingress; "
   "tc filter add dev d0 ingress matchall action pedit munge ip ttl set 9 pipe action pass")
frames = tapped("d0", 500)
equal("a tap beside a filter that writes: each is seen", len(frames), 500)
equal("as it came in, before the filter", set(fields(frames, "ttl")), {32})
sh("tc qdisc del dev d0 clsact")

# macvlan takes packets over for another device
sh("ip link add m0 link d0 type macvlan mode private && ip link set m0 up")
put("d0", "dst_mac " + mac_of("m0"))
before = rx_packets("m0")
run(1000)
equal("macvlan on top receives each", rx_packets("m0") - before, 1000)
sh("ip link del m0")

# Packets that are accepted go on as clones
sh("ip addr add 198.18.0.1/24 dev d0")
put("d0", "dst_mac " + mac_of("d0"), "src_min 198.18.0.2")
before = int(sh("awk '/^Udp:/ && n++ { print $3 }' /proc/net/snmp"))
run(1000)
equal("UDP gets each, on a port that nobody has", int(sh("awk '/^Udp:/ && n++ { print $3 }' /proc/net/snmp")) - before,
      1000)
ok("result is a result", result("d0").startswith("OK: "), result("d0"))
finish()
