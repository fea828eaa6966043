#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Loading and unloading: the folder's name, names that are taken, both generators side by side, nothing left behind.
# pgx: noload
# pgx: timeout 180
# shellcheck source=selftests/net/lib.sh
source "$PGX_TOP/selftests/net/lib.sh"

# refuse DESCRIPTION REGEX PARAMETER...: insmod fails, says why in the log, leaves nothing
refuse() {
	local description=$1 regex=$2 before after

	shift 2
	before=$(dmesg | wc -l) names=$(ls /proc/net)
	if load "$@" 2> "$TMP/error"; then
		fail "$description" "it was loaded"
		unload
		return
	fi
	after=$(dmesg | tail -n +$((before + 1)))
	like "$description" "$after" "$regex"
	is "$description: nothing is left" "$(ls /proc/net)" "$names"
	check "$description: not even the module" bash -c '! grep -q ^pktgen_ext /proc/modules'
}

load
check 'default folder' test -f /proc/net/pktgen_ext/pgctrl
unload
check 'gone after rmmod' test ! -e /proc/net/pktgen_ext

refuse 'a name that procfs has' 'proc_name=tcp: .*already' proc_name=tcp
refuse 'no name' 'proc_name=: ' proc_name=
refuse 'a path' 'proc_name=a/b: ' proc_name=a/b
refuse 'a dot' 'proc_name=..: ' proc_name=..
refuse 'a long name' 'proc_name=x+: ' proc_name="$(printf 'x%.0s' {1..40})"

load proc_name=pktgen
check 'drop-in: folder pktgen' test -f /proc/net/pktgen/kpktgend_1
ip netns add ns
later ip netns del ns
check 'a later namespace has it too' ip netns exec ns test -f /proc/net/pktgen/pgctrl
unload
check 'gone from that namespace too' ip netns exec ns test ! -e /proc/net/pktgen

modprobe pktgen
refuse 'pktgen while the in-tree module is there' 'proc_name=pktgen: .*already' proc_name=pktgen
load
check 'both side by side' test -f /proc/net/pktgen_ext/pgctrl -a -f /proc/net/pktgen/pgctrl
add_dummy d0
put kpktgend_0 'add_device d0'
echo 'add_device d0' > /proc/net/pktgen/kpktgend_0
put d0 'count 100'
start
echo start > /proc/net/pktgen/pgctrl
is 'each sends its own' "$(sofar d0) $(grep -o 'pkts-sofar: [0-9]*' /proc/net/pktgen/d0)" '100 pkts-sofar: 1000'
unload
check 'the in-tree module is untouched' grep -q 'pkts-sofar: 1000' /proc/net/pktgen/d0
rmmod pktgen

# The same settings give the same listing, but for what one of them is known to do better.
listing() {
	local pg=$1 line

	echo 'add_device d0@0' > "$pg/kpktgend_0"
	for line in 'count 500' 'pkt_size 60' 'dst 198.18.0.1' 'dst_mac 90:e2:ba:ff:ff:ff' 'src_mac 02:00:00:00:00:01' \
		'burst 32' 'xmit_mode netif_receive' 'flag NO_TIMESTAMP' 'udp_src_min 7' 'udp_src_max 7' 'clone_skb 0'; do
		echo "$line" > "$pg/d0@0"
		grep Result: "$pg/d0@0"
	done
	cat "$pg/kpktgend_0" "$pg/kpktgend_1" "$pg/pgctrl"
	echo start > "$pg/pgctrl"
	# times and rates differ from run to run
	sed -E 's/[0-9]+us/Nus/g; s/OK: [0-9]+\(c[0-9]+\+d[0-9]+\)/OK: N(cN+dN)/; s/^  [0-9]+pps [0-9]+Mb\/sec \([0-9]+bps\)/  Npps NMb\/sec (Nbps)/' \
		"$pg/d0@0"
	echo rem_device_all > "$pg/kpktgend_0"
}
load
modprobe pktgen
listing /proc/net/pktgen_ext > "$TMP/ours"
listing /proc/net/pktgen > "$TMP/theirs"
rmmod pktgen
unload
# Before 6.7 the in-tree module had no flag SHARED; and its results run one burst over the count.
sed -i -E '/^     Flags:/ s/SHARED  //; s/flags=0x40080/flags=0x80/; s/, (500|512) /, N /; s/(sofar|errors): (500|512)/\1: N/g; s/seq_num: 5[01][13]/seq_num: N/' \
	"$TMP/ours" "$TMP/theirs"
# A line of ours alone: why the run ended.
is 'why the run ended' "$(grep -c '^     ended-by: count$' "$TMP/ours")" 1
sed -i '/^     ended-by: /d' "$TMP/ours"
is 'replies and listing are byte for byte those of the in-tree module' "$(< "$TMP/ours")" "$(< "$TMP/theirs")"

# C05, bounded: load, run, unload, while devices come and go
churn() {
	while [[ -e $TMP/churn ]]; do
		ip link add churn0 type dummy
		ip link set churn0 up
		ip link del churn0
	done
}
touch "$TMP/churn"
churn &
for _ in {1..25}; do
	load
	put kpktgend_0 'add_device d0@0' 'add_device d0@1'
	put kpktgend_1 'add_device d0@2' 'add_device d0@3'
	start &
	# it is refused while start still holds the module
	until unload 2> /dev/null; do
		sleep 0.02
	done
	wait $!
done
rm "$TMP/churn"
wait
check 'C05: no folder after 25 rounds' test ! -e /proc/net/pktgen_ext
is 'C05: no thread' "$(pgrep -c kpktgend)" 0
finish
