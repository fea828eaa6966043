#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each door delivers exactly the packets that were asked for, at any burst; the receiver counts, not we.
# shellcheck source=selftests/net/lib.sh
source "$PGX_TOP/selftests/net/lib.sh"

add_veth v0 v1
put kpktgend_0 'add_device v0@0'

# deliver DOOR COUNT BURST: packets that arrive at v1, or come in on v0 where that is the door
deliver() {
	local dev=v1 before

	[[ $1 != netif_receive ]] || dev=v0
	put v0@0 'burst 1' "xmit_mode $1" "count $2" "burst $3" 'pkt_size 60' 'dst 198.18.0.1'
	if [[ $dev == v0 ]]; then
		before=$(in_receives)
		start
		echo $(($(in_receives) - before))
	else
		before=$(rx_packets $dev)
		start
		echo $(($(rx_packets $dev) - before))
	fi
}

# What IPv4 was handed, whatever became of it.
in_receives() {
	awk '/^Ip:/ && n++ { print $4 }' /proc/net/snmp
}

put v0@0 "dst_mac $(cat /sys/class/net/v0/address)"
is 'start_xmit, count 1' "$(deliver start_xmit 1 1)" 1
is 'start_xmit, count 1000' "$(deliver start_xmit 1000 1)" 1000
is 'queue_xmit, count 1000' "$(deliver queue_xmit 1000 1)" 1000
is 'netif_receive, count 1, burst 32' "$(deliver netif_receive 1 32)" 1
is 'netif_receive, count 1000, burst 32' "$(deliver netif_receive 1000 32)" 1000
is 'netif_receive, count 33, burst 32' "$(deliver netif_receive 33 32)" 33
is 'netif_receive, burst above count' "$(deliver netif_receive 5 65536)" 5
is 'pkts-sofar agrees' "$(sofar v0@0)" 5
put v0@0 'burst 1' 'flag !SHARED'
is 'netif_receive without sharing' "$(deliver netif_receive 7 1)" 7
is 'start_xmit without sharing' "$(deliver start_xmit 7 1)" 7

add_dummy d0
put kpktgend_1 'add_device d0'
for burst in 1 3 32 1024; do
	put d0 'count 1000' "burst $burst"
	before=$(tx_packets d0)
	start
	is "dummy sends exactly 1000 in bursts of $burst" $(($(tx_packets d0) - before)) 1000
done
put d0 'count 6' 'burst 1' 'clone_skb 4'
before=$(tx_packets d0)
start
is 'clone_skb 4, count 6' $(($(tx_packets d0) - before)) 6
like 'the result has 6 packets' "$(result d0)" '^OK: [0-9]+\(c[0-9]+\+d[0-9]+\) usec, 6 \(58byte,0frags\)'
is 'sequence after 6 packets' "$(value d0 seq_num:)" 7
finish
