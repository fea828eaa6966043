# SPDX-License-Identifier: GPL-2.0
# Cases from practice: what is written to the files, and what they answer.
import subprocess
from pgx import PG, add_dummy, add_veth, equal, finish, ok, params, put, read, result, said, start, value, write

add_dummy("d0")
add_veth("v0", "v1")
put("kpktgend_0", "add_device d0", "add_device v0")


def through_libc(name, text):
    """The status of the shell's echo, which sends again what a short write has left."""
    return subprocess.run(["sh", "-c", "echo '%s' > %s%s" % (text, PG, name)], stderr=subprocess.DEVNULL).returncode


# C28: twenty pairs are a mix, twenty-one leave the one that was there
pairs = ["%d,%d" % (100 + n, 1 + n) for n in range(21)]
put("d0", "pkt_size 60")
equal("C28: 20 pairs", said("d0", "imix_weights " + " ".join(pairs[:20])), "OK | OK: imix_weights=" + " ".join(pairs[:20]))
before = params("d0")
ok("C28: 21 pairs", said("d0", "imix_weights " + " ".join(pairs)).startswith("E2BIG | ERROR: imix_weights"), result("d0"))
equal("C28: and the 20 are still those in force", params("d0"), before)
for bad in "64,1 576", "64,1 576,x", "64,1 576,0", "64 576,1", "64,1 9999999,1":
    got = said("d0", "imix_weights " + bad)
    ok("C28: %s leaves them too" % bad, got[0] == "E" and "ERROR: imix_weights" in got and params("d0") == before, got)
put("d0", "count 210")
start()
counts = [int(pair.split(",")[1]) for pair in read("d0").split("imix_size_counts: ")[1].split("\n")[0].split()]
equal("C28: a run of one cycle sends each size as often as its weight", counts, list(range(1, 21)))
put("d0", "imix_weights none")
ok("C28: and the mix can be taken back", "imix" not in params("d0"), params("d0"))

# C30: a refusal is one error, not a short write that sends the rest as a command
put("d0", "delay 77")
for text in "rate 0", "ratep 0":
    got = said("d0", text)
    ok("C30: " + text, got.startswith("EINVAL | ERROR: " + text.split()[0]) and value("d0", "delay:") == "77", got)
    ok("C30: %s by echo fails once, and the reply is its own" % text, through_libc("d0", text) != 0
       and "No such parameter" not in result("d0"), result("d0"))

# C31: as many labels as there is room for, and no more
labels = ",".join("%05x040" % n for n in range(1, 17))
equal("C31: 16 labels", said("d0", "mpls " + labels), "OK | OK: mpls=" + labels)
ok("C31: 17 labels", said("d0", "mpls %s,00011040" % labels).startswith("E2BIG | ERROR: mpls"), result("d0"))
ok("C31: the 16 stay", "mpls: " + labels.replace(",", ", ") + "\n" in params("d0"), params("d0"))
equal("C31: and are sent", (write("d0", "count 3"), start(), value("d0", "pkts-sofar:")),
      ("OK", "OK", "3"))

# C36: the error that user space knows
for name, text in (("v0", "clone_skb 1"), ("v0", "burst 2")):
    equal("C36: %s on veth is EOPNOTSUPP, 95" % text, write(name, text), "EOPNOTSUPP")
put("d0", "mpls 0", "xmit_mode netif_receive")
equal("C36: clone_skb in netif_receive too", write("d0", "clone_skb 1"), "EOPNOTSUPP")
put("d0", "xmit_mode start_xmit")

# C40: words of other days
for text in "ipg 0", "config 1", "inject", "dst_min6 fc00::1", "display":
    equal("C40: " + text, said("d0", text), 'EINVAL | No such parameter "%s"' % text.split()[0])
equal("C40: a script goes on after one", through_libc("d0", "ipg 0") != 0 and write("d0", "count 5"), "OK")
equal("C40: max_before_softirq", said("kpktgend_0", "max_before_softirq 10000"),
      "OK | OK: Note! max_before_softirq is obsoleted -- Do not use")
equal("C40: rem_device_all with more behind it", write("kpktgend_0", "rem_device_all eth1 eth2"), "OK")
put("kpktgend_0", "add_device d0")

# C41: the names of IPv6. src6_min and src6_max exist here; those of another tool do not
for text in "dst6 fc00::1", "dst6_min fc00::1", "dst6_max fc00::2", "src6 fc00::3", "src6_min fc00::3", "src6_max fc00::4":
    name, address = text.split()
    equal("C41: " + text, said("d0", text), "OK | OK: %s=%s" % (name, address))
for text in "src_min6 fc00::1", "dst_min6 fc00::1", "dst_max6 fc00::1":
    equal("C41: " + text, said("d0", text), 'EINVAL | No such parameter "%s"' % text.split()[0])

# C44: what the documentation says
put("kpktgend_0", "rem_device_all", "add_device d0")
equal("C44: rate 300M", said("d0", "rate 300M"), "OK | OK: rate=300")
put("d0", "vlan_id 7", "svlan_id 8")
equal("C44: NODE", said("d0", "flag NODE"), "OK | OK: flags=0x60000")
equal("C44: NODE_ALLOC is that flag", said("d0", "flag !NODE_ALLOC"), "OK | OK: flags=0x40000")
equal("C44: svlan_id 4096 is off", (write("d0", "svlan_id 4096"), "svlan_id:" in params("d0")), ("OK", False))
put("d0", "vlan_id 7")
equal("C44: svlan is svlan_id", said("d0", "svlan 8"), "OK | OK: svlan_id=8")
equal("C44: 9999 is off there too", (write("d0", "svlan 9999"), "svlan_id:" in params("d0")), ("OK", False))
write("pgctrl", "reset")
finish()
