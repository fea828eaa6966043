#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The samples with a subject of their own: what the receiver got, what they say, what they refuse, what stays behind.
# pgx: slow
# pgx: timeout 400
# shellcheck source=selftests/net/lib.sh
source "$PGX_TOP/selftests/net/lib.sh"
samples=$PGX_TOP/samples

# The packets in the last line of a sample's table.
total() {
	awk '$1 == "total" { print $2 }' <<< "$1"
}

# What samples make and must not leave: entries, devices, namespaces. No program is started for this, it is asked often.
left() {
	local file words

	for file in /proc/net/pktgen*/kpktgend_*; do
		while read -r -a words; do
			[[ ${words[0]} == Result: || ${#words[@]} == 1 ]] || echo "${words[*]}"
		done < "$file"
	done
	compgen -G '/sys/class/net/pg*'
	compgen -G '/run/netns/*'
}

ingress_qdiscs() {
	tc qdisc show | grep -E 'ingress|clsact'
}

# sample SCRIPT PACKETS OPTION...: what it prints is in $output
sample() {
	local script=$1 want=$2 status

	shift 2
	output=$("$samples/$script.sh" "$@" 2> "$TMP/stderr")
	status=$?
	is "$script: exit code" "$status" 0
	is "$script: packets" "$(total "$output")" "$want"
	is "$script: nothing is left" "$(left)" ''
	((status == 0)) || sed 's/^/# /' "$TMP/stderr"
}

# expect PROTOCOL MATCH...: count at the receiver what the kernel's flow dissector finds to match
expect() {
	((pref++))
	tc filter add dev v1 ingress pref "$pref" protocol "$1" flower "${@:2}" action drop
}

# arrived DESCRIPTION COUNT...: of each expectation in turn, which end with that
arrived() {
	local i got=()

	for ((i = 1; i <= pref; i++)); do
		got+=("$(tc -s filter show dev v1 ingress pref "$i" | awk '/Sent/ { n += $4 } END { print n + 0 }')")
	done
	is "$1" "${got[*]}" "${*:2}"
	tc filter del dev v1 ingress
	pref=0
}

# refused SCRIPT OPTION VALUE: with a message that names the option, the value, and what is allowed. Both CPUs are at it.
refused() {
	local name="$1 $2 '$3'" like="$2 '${3//[*+.]/.}': allowed is" status output

	((refusals++ % 2 == 0)) || wait
	(
		output=$("$samples/$1.sh" "$2" "$3" -i v0 2>&1 > /dev/null)
		status=$?
		printf '%s\t%s\t%s\t%s\n' "$name" "$like" "$status" "${output//$'\n'/ }" >> "$TMP/refused"
	) &
}

# What came of all that were refused.
judge_refusals() {
	local name like status output

	wait
	while IFS=$'\t' read -r name like status output; do
		is "$name: exit code" "$status" 2
		like "$name: says what is allowed" "$output" "$like"
	done < "$TMP/refused"
	is 'all were tried' "$(wc -l < "$TMP/refused")" "$refusals"
}

# interrupted SCRIPT EXIT-CODE OPTION...: Ctrl-C, which the whole group gets, in the middle of a run
interrupted() {
	local script=$1 want=$2 pid status

	setsid env --default-signal=INT "$samples/$script.sh" "${@:3}" > "$TMP/stdout" 2> "$TMP/stderr" &
	pid=$!
	check "$script: runs" wait_until 60 grep -rqs '^Running: .*[^ ]' /proc/$pid/net/pktgen_ext/
	kill -INT -- "-$pid"
	wait "$pid"
	status=$?
	is "$script: exit code after Ctrl-C" "$status" "$want"
	is "$script: nothing is left after Ctrl-C" "$(left)" ''
	((status == want)) || sed 's/^/# /' "$TMP/stderr"
}

modprobe veth
modprobe dummy numdummies=0
add_veth v0 v1
pref=0
tc qdisc add dev v1 clsact

## Flows

expect ip ip_proto udp src_ip 198.19.0.1 dst_ip 198.18.0.42
expect ip ip_proto udp src_ip 198.19.0.2 dst_ip 198.18.0.43
sample flow_per_thread 600 -i v0 -b 1 -t 2 -n 300
arrived 'flow_per_thread: a flow of each thread' 300 300

for i in 1 2 3 4; do
	expect ip ip_proto udp dst_ip "198.18.7.$i"
done
sample many_flows 400 -i v0 -n 400 -d 198.18.7.1-198.18.7.4 --flows 2 --flowlen 10
arrived 'many_flows: in order' 100 100 100 100
expect ip src_ip 198.18.0.0/15 dst_ip 198.18.0.0/16
sample many_flows 400 -i v0 -n 400 --mixed --any-source --random
arrived 'many_flows: mixed' 400

## Headers

before=$(< /sys/class/net/v1/statistics/rx_bytes)
sample imix 1200 -i v0 -n 1200
is 'imix: bytes at the receiver' $(($(< /sys/class/net/v1/statistics/rx_bytes) - before)) $((700 * 60 + 400 * 590 + 100 * 1514))
is 'imix: its table' "$(awk '$1 ~ /^[0-9]+$/ && $4 ~ /%/ { printf "%s:%s ", $1, $3 }' <<< "$output")" '60:700 590:400 1514:100 '

expect 802.1ad vlan_id 200 vlan_prio 2 vlan_ethtype 802.1q cvlan_id 77 cvlan_prio 3 cvlan_ethtype ip
sample vlan_qinq 100 -i v0 -n 100 --vlan 77 --prio 3 --svlan 200 --svlan-prio 2 --tpid 88a8
arrived 'vlan_qinq: two tags' 100

expect mpls_uc mpls lse depth 1 label 16 tc 5 ttl 64 bos 0 lse depth 2 label 1048575 tc 0 ttl 255 bos 0 \
	lse depth 3 tc 3 ttl 9 bos 1
sample mpls 100 -i v0 -n 100 --labels 16:5,1048575:0:255,random:3:9
arrived 'mpls: two labels, and a random one that keeps its class and TTL' 100

expect ipv6 ip_proto udp src_ip 2001:2::/120 dst_ip 2001:2:0:1::/64 ip_tos 0x20
sample ipv6 100 -i v0 -n 100 -d 2001:2:0:1::/64 --source 2001:2::/120 --random --tclass 32
arrived 'ipv6: ranges at both ends' 100
expect ipv6 dst_ip 2001:2::42
sample simple 100 -i v0 -n 100 -6
arrived 'simple -6' 100

sample ipsec_netns 200 -n 200
is 'ipsec_netns: arrived, decrypted, UDP' \
	"$(awk '/peer  |state  |UDP/ { printf "%s ", $NF }' <<< "$output")" '200 200 200 '
sample ipsec_netns 200 -n 200 --mode tunnel
is 'ipsec_netns: tunnel' "$(awk '/peer  |state  |UDP/ { printf "%s ", $NF }' <<< "$output")" '200 200 200 '

## Receive path

# What CPU 1 has processed and dropped, of which nothing else brings much here.
taken() {
	awk '$1 == 1 && NF == 4 { print $2 + $4 }' <<< "$output"
}

# What it dropped of them, since its queue was full: before a listener gets it.
overflowed() {
	awk '$1 == 1 && NF == 4 { print $4 }' <<< "$output"
}

tc qdisc del dev v1 clsact
sample ingress_qdisc_stages '' -n 20k --rounds 2 --qdisc ingress
is 'ingress_qdisc_stages: its table' \
	"$(awk '$1 ~ /^(none|other|here|drop)$/ && $3 > 0 && $6 > 0 { printf "%s:%s ", $1, $2 }' <<< "$output")" \
	'none:2 other:2 here:2 drop:2 '
is 'ingress_qdisc_stages: no qdisc is left' "$(ingress_qdiscs)" ''
tc qdisc add dev v1 clsact
output=$("$samples/ingress_qdisc_stages.sh" -n 1000 2>&1)
is 'ingress_qdisc_stages: not where a device has an ingress qdisc' "$?" 1
like 'ingress_qdisc_stages: names it' "$output" 'v1'

add_dummy d0 numtxqueues 3 numrxqueues 2
taps=0
! command -v tcpdump > /dev/null || taps=1
sample multiqueue_ingress_stress 4000 -i d0 -n 2000 --spread --rps 1 --taps "$taps"
check 'multiqueue_ingress_stress: all is processed on the CPU that RPS is told' test "$(taken)" -ge 4000 -a "$(taken)" -le 4050
is 'multiqueue_ingress_stress: RPS is as before' "$(cat /sys/class/net/d0/queues/rx-*/rps_cpus | tr -d '0,\n')" ''
if ((taps)); then
	like 'multiqueue_ingress_stress: its listener' "$output" "tap 0: $((4000 - $(overflowed))) packets captured"
else
	skip 'multiqueue_ingress_stress: its listener' 'there is no tcpdump'
fi
is 'multiqueue_ingress_stress: the listener is gone' "$(pidof tcpdump)" ''

## Interrupts

modprobe -q e1000
card=$(find /sys/class/net/*/device -maxdepth 0 2> /dev/null | head -n 1 | cut -d / -f 5)
affinities() {
	cat /proc/irq/*/smp_affinity_list
}
if [[ -n $card ]]; then
	sysctl -qw "net.ipv6.conf.$card.disable_ipv6=1"
	ip link set "$card" up
	wait_until 10 grep -q 1 "/sys/class/net/$card/carrier"
	before=$(affinities)
	sample numa_irq_affinity 1000 -i "$card" -f 1 -t 1 -n 1000
	if grep -q "$(basename "$(readlink -f "/sys/class/net/$card/device")").*put" /proc/interrupts; then
		like 'numa_irq_affinity: says what is where' "$output" 'queue 0: IRQ [0-9]+ \(.*put.0\) on CPU 1'
	else
		like 'numa_irq_affinity: says that there is none' "$(< "$TMP/stderr")" "$card has no interrupt per queue"
	fi
	is 'numa_irq_affinity: interrupts are where they were' "$(affinities)" "$before"
else
	skip numa_irq_affinity 'there is no network card that this kernel has the driver of'
fi

## Ctrl-C

interrupted many_flows 0 -i v0 -n 0
tc qdisc del dev v1 clsact
interrupted ingress_qdisc_stages 130 -i d0 -n 1G --rounds 2
is 'ingress_qdisc_stages: no qdisc is left after Ctrl-C' "$(ingress_qdiscs)" ''
interrupted multiqueue_ingress_stress 0 -i d0 -n 0 --spread --rps all --taps "$taps"
is 'multiqueue_ingress_stress: RPS is as before, after Ctrl-C' \
	"$(cat /sys/class/net/d0/queues/rx-*/rps_cpus | tr -d '0,\n')" ''
is 'multiqueue_ingress_stress: the listener is gone, after Ctrl-C' "$(pidof tcpdump)" ''
interrupted ipsec_netns 0 -n 0

## Refusals

refusals=0
for script in many_flows flow_per_thread numa_irq_affinity imix vlan_qinq mpls ipv6 ingress_qdisc_stages \
	multiqueue_ingress_stress door_profile; do
	refused "$script" -n nonsense
done
refused many_flows --flows 65537
refused many_flows -d 198.18.0.0/33
refused flow_per_thread --source 198.18.0.256
refused flow_per_thread -d 198.18.0.0/24
refused imix --weights '60,7  576,4'
refused imix --weights 60,0
refused vlan_qinq --vlan 4096
refused vlan_qinq --tpid 9100
refused mpls --labels 16,1048576
refused mpls --labels 16:8
refused ipv6 -d 2001:2:::1
refused ipv6 -d 2001:2::/129
refused ipv6 -d 198.18.0.1
refused ipv6 --source 2001:2::2-2001:2::1
refused ingress_qdisc_stages --qdisc fq
refused multiqueue_ingress_stress --rps 0-99
refused door_profile --door ndo_xmit
judge_refusals
for script in many_flows multiqueue_ingress_stress door_profile; do
	check "$script --help" "$samples/$script.sh" --help
done
output=$("$samples/ipsec_netns.sh" --mode beet 2>&1)
is 'ipsec_netns --mode beet: exit code' "$?" 2
output=$("$samples/vlan_qinq.sh" -i v0 --svlan-prio 3 2>&1)
is 'vlan_qinq --svlan-prio without --svlan: exit code' "$?" 2
like 'vlan_qinq: says why' "$output" '--svlan-prio needs --svlan'

## The kernel's own generator

modprobe pktgen
tc qdisc add dev v1 clsact
expect 802.1q vlan_id 100 vlan_prio 0
sample vlan_qinq 50 -i v0 -n 50 --proc pktgen
arrived 'vlan_qinq --proc pktgen' 50
rmmod pktgen

## Profiles

# perf looks at every file of /lib/modules, which takes a minute over 9p; the modules are in.
modprobe -a sch_fq
mount -t tmpfs none /lib/modules
later umount /lib/modules
tc qdisc replace dev d0 root fq
output=$("$samples/door_profile.sh" -i d0 --door queue_xmit -T 1s 2> "$TMP/stderr")
is 'door_profile: exit code' "$?" 0
is 'door_profile: groups' "$(awk '/%/ && $3 > 0 { print $1 }' <<< "$output" | grep -cE '^(generator|transmit|qdisc|driver|memory)$')" 5
finish
