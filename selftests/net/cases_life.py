# SPDX-License-Identifier: GPL-2.0
# pgx: timeout 180
# Cases from practice: a rename against a removal, and drivers that change the skbs that they are given.
# PGX_C01_SECONDS: how long C01 goes on, 20 if nothing is said; the report that it comes from took five minutes.
import os
import subprocess
import time
from pgx import (PG, SkbProbe, add_dummy, add_veth, equal, finish, ok, params, put, quiet_up, read, result, said,
                 sh, start, tx_packets, value, wait_until, write)

SECONDS = float(os.environ.get("PGX_C01_SECONDS", "20"))


def running():
    return read("kpktgend_0").splitlines()[0] != "Running: "


def rename_against_removal():
    """One writer renames a device to and fro, another removes its entry and adds it again under the name it has now."""
    add_dummy("d0")
    lines = "link set d0 down\nlink set d0 name d1\nlink set d1 up\nlink set d1 down\nlink set d1 name d0\nlink set d0 up\n"
    renamer = subprocess.Popen(["ip", "-force", "-batch", "-"], stdin=subprocess.PIPE, text=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    rounds, added, started, seen = 0, 0, 0, set()
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        renamer.stdin.write(lines * 10)
        renamer.stdin.flush()
        for _ in range(20):
            write("kpktgend_0", "rem_device_all")
            names = [n for n in ("d0", "d1") if write("kpktgend_0", "add_device %s@x" % n) == "OK"]
            added += len(names)
            seen.update(names)
            for name in names:
                try:
                    write(name + "@x", "count 3")
                    started += start() == "OK"
                except OSError:
                    pass	# renamed or removed meanwhile
            rounds += 1
    renamer.kill()	# what it has not read yet would take as long again
    renamer.wait()
    print("# C01: %d rounds in %d s, %d entries were added, %d starts" % (rounds, SECONDS, added, started))
    ok("C01: both got their turn", added > 20 and seen == {"d0", "d1"}, (added, seen))
    write("kpktgend_0", "rem_device_all")
    equal("C01: no entry is left", [f for f in os.listdir(PG) if f[0] == "d"], [])
    sh("ip link set d1 down 2>/dev/null; ip link set d1 name d0 2>/dev/null; ip link set d0 up; true")
    equal("C01: and the device can be used", (write("kpktgend_0", "add_device d0"), start(), value("d0", "pkts-sofar:")),
          ("OK", "OK", "1000"))
    put("kpktgend_0", "rem_device_all")


def refuses(case, dev):
    """clone_skb and burst are refused, by an error that says why, and one packet at a time works."""
    put("kpktgend_0", "rem_device_all", "add_device " + dev)
    for text in "clone_skb 1", "clone_skb 100", "burst 2":
        before = params(dev)
        got = said(dev, text)
        ok("%s: %s, %s" % (case, dev, text), got.startswith("EOPNOTSUPP | ERROR: " + text.split()[0])
           and "IFF_TX_SKB_SHARING" in got and params(dev) == before, got)
    put(dev, "xmit_mode netif_receive", "burst 2", "xmit_mode start_xmit")
    equal("%s: %s, looked at again at start" % (case, dev), (start(), "IFF_TX_SKB_SHARING" in result(dev)),
          ("EOPNOTSUPP", True))
    put(dev, "burst 1", "clone_skb 0", "count 100", "dst 198.51.100.2")
    before = tx_packets(dev)
    equal("%s: %s, one by one" % (case, dev), (start(), value(dev, "pkts-sofar:"), result(dev)[:3]), ("OK", "100", "OK:"))
    return tx_packets(dev) - before


def vlan_on_bridge():
    sh("modprobe bridge; modprobe 8021q; ip link add br0 type bridge; ip link set v0 master br0; ip link set br0 up")
    sh("ip link add link br0 name br0.5 type vlan id 5")
    quiet_up("br0.5")
    wait_until(10, lambda: open("/sys/class/net/v0/brport/state").read() == "3\n")
    before = tx_packets("v0")
    put("kpktgend_0", "rem_device_all")
    equal("C14: a VLAN on a bridge counts each", refuses("C14", "br0.5"), 100)
    ok("C14: and each leaves by the port", tx_packets("v0") - before >= 100, tx_packets("v0") - before)
    put("kpktgend_0", "rem_device_all")
    sh("ip link del br0.5; ip link set v0 nomaster; ip link del br0")


def tunnels():
    sh("modprobe geneve; modprobe vxlan; ip addr add 198.51.100.1/24 dev v0")
    sh("ip neigh replace 198.51.100.2 lladdr 02:00:00:00:00:02 dev v0")
    sh("ip link add gnv0 type geneve id 7 remote 198.51.100.2; ip link add vx0 type vxlan id 8 remote 198.51.100.2 "
       "dstport 4789 dev v0; ip link add link v0 name v0.9 type vlan id 9")
    for dev in "gnv0", "vx0", "v0.9":
        quiet_up(dev)
        equal("C15: %s counts each" % dev, refuses("C15", dev), 100)


def users(dev, function, *lines):
    """References to the skb when the driver gets it."""
    put("kpktgend_0", "rem_device_all", "add_device " + dev)
    put(dev, "count 5", "pkt_size 100", *lines)
    probe = SkbProbe(function)
    start()
    got = [call["users"] for call in probe.calls() if call["len"] == 100]
    probe.close()
    return got


def the_only_reference():
    for dev, function in (("gnv0", "geneve_xmit"), ("vx0", "vxlan_xmit"), ("v0.9", "vlan_dev_hard_start_xmit"),
                          ("v0", "veth_xmit")):
        equal("C17: %s with !SHARED" % dev, users(dev, function, "flag !SHARED"), [1] * 5)
        equal("C17: %s by default, since it changes what it sends" % dev, users(dev, function), [1] * 5)
    equal("C17: a driver that leaves skbs alone may share", users("d0", "dummy_xmit"), [2] * 5)
    equal("C17: but does not with !SHARED", users("d0", "dummy_xmit", "flag !SHARED"), [1] * 5)
    put("kpktgend_0", "rem_device_all")
    sh("ip link del gnv0; ip link del vx0; ip link del v0.9; ip addr flush dev v0")


def shares():
    refuses("C23", "v0")
    equal("C23: burst 0 on veth", said("v0", "burst 0"), "OK | OK: burst=1")
    put("v0", "xmit_mode netif_receive")
    equal("C23: burst in netif_receive", (said("v0", "burst 2"), start()), ("OK | OK: burst=2", "OK"))
    put("v0", "burst 1", "xmit_mode queue_xmit")
    ok("C23: none in queue_xmit", said("v0", "burst 2").startswith("EOPNOTSUPP | ERROR: burst"), result("v0"))
    put("kpktgend_0", "rem_device_all", "add_device d0")
    equal("C23: both on a device that shares", (said("d0", "clone_skb 1"), said("d0", "burst 2"), start()),
          ("OK | OK: clone_skb=1", "OK | OK: burst=2", "OK"))
    cards = [d for d in os.listdir("/sys/class/net") if os.path.realpath(
        "/sys/class/net/%s/device/driver" % d).endswith("/virtio_net")]
    if cards:
        quiet_up(cards[0])
        put("kpktgend_0", "add_device " + cards[0])
        equal("C23: both on virtio_net", (write(cards[0], "clone_skb 1"), write(cards[0], "burst 2")), ("OK", "OK"))
    else:
        ok("C23: both on virtio_net # SKIP the machine has none", True)


add_veth("v0", "v1")
rename_against_removal()
vlan_on_bridge()
tunnels()
the_only_reference()
shares()
write("pgctrl", "reset")
finish()
