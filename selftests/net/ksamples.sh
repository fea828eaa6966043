#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The samples that the kernel ships for its own pktgen, taken from the source of the kernel that runs.
# pgx: noload
# pgx: timeout 400
# pgx: slow
#
# Each runs on both generators at the same time, in a namespace each with devices of the same names, and must say the
# same; what arrives is counted by a filter. The folder is the one change to the scripts. Then they run as they are, on
# the module loaded with proc_name=pktgen.
#
# What does not run, or not so, and why:
#
#   sample03, sample05 on veth without -b 0    they set burst; a driver that changes skbs takes none, so a dummy serves
#   -c on veth                                 the same of clone_skb
#   -b with netif_receive, on any device       is run: the receive path gives skbs back
#   -b with queue_xmit, sample04               refused by the sample
#   -a with netif_receive, queue_xmit          these samples have no append mode: they take -a, reset, and start
#   sample06 on veth, dummy, virtio            it looks for the device's own interrupts by name: a card's driver has them
#   sample06 -t 2 with an e1000                every thread takes an interrupt and a queue, of which it has one each: -t 2
#                                              is run where the card has more (vm.sh -n vmxnet3)
#   sudo, when not root                        the guest has nobody but root
#   pgset of functions.sh                      no sample calls it
#
# shellcheck source=selftests/net/lib.sh
source "$PGX_TOP/selftests/net/lib.sh"

theirs=${PGX_SAMPLES:-}
ours=$TMP/samples
mac=02:00:00:00:00:02

if [[ ! -x $theirs/pktgen_sample01_simple.sh ]]; then
	skip 'the samples of the kernel' 'PGX_SAMPLES is not the folder that vm/ksources.sh prints'
	finish
fi
mkdir "$ours"
cp "$theirs"/*.sh "$ours/"
sed -i "s|/proc/net/pktgen\>|$PG|g" "$ours"/*.sh

# In an emulated CPU most of the time would go into the start of programs, of which the samples call hundreds: one that
# has no libraries to load takes a seventh of it.
mkdir "$TMP/bin"
for tool in awk cat dirname egrep grep sed tr wc; do
	ln -s "$(command -v busybox)" "$TMP/bin/$tool"
done
PATH=$TMP/bin:$PATH

# The sender has a link-local address and no other; what IPv6 itself sends is no UDP, and is not counted.
devices() {
	local dev

	ip link add v0 address 02:00:00:00:00:01 numtxqueues 2 numrxqueues 2 type veth \
		peer name v1 numtxqueues 2 numrxqueues 2
	sysctl -qw net.ipv6.conf.v0.addr_gen_mode=1 net.ipv6.conf.v1.disable_ipv6=1
	ip link set v1 up
	ip link set v0 up
	ip address add fe80::1/64 dev v0 nodad
	for dev in v0 v1; do
		tc qdisc add dev $dev ingress
		tc filter add dev $dev ingress pref 1 protocol ip flower ip_proto udp dst_ip 198.18.0.0/24 action pass
		tc filter add dev $dev ingress pref 2 protocol ipv6 flower ip_proto udp dst_ip fd00::1 action pass
	done
	for dev in d0 d1; do
		ip link add $dev address 02:00:00:00:00:03 numtxqueues 2 type dummy
		sysctl -qw net.ipv6.conf.$dev.disable_ipv6=1
		ip link set $dev up
	done
}
modprobe dummy numdummies=0
ip netns add theirs
later ip netns del theirs
later 'ip link del v0; ip link del d0; ip link del d1'
export -f devices
devices
ip netns exec theirs bash -c devices

# find_card: a network card of the machine, if there is one, and for how many threads it has interrupts and queues
find_card() {
	local dev queues

	for dev in /sys/bus/pci/devices/*; do
		[[ $(< "$dev/class") != 0x02* ]] || modprobe -q "$(< "$dev/modalias")"
	done
	for dev in /sys/class/net/*/device; do
		[[ ! -e $dev ]] || card=$(basename "${dev%/device}")
	done
	[[ -n $card ]] || return
	sysctl -qw "net.ipv6.conf.$card.disable_ipv6=1"
	ip link set "$card" up
	later "ip link set $card down"
	wait_until 10 grep -q 1 "/sys/class/net/$card/carrier"
	queues=("/sys/class/net/$card/queues"/tx-*)
	if ((${#queues[@]} > 1 && $(grep -c "$card" /proc/interrupts) > 1)); then
		card_threads=2
	fi
}
card='' card_threads=1
find_card

# seen DEVICE: packets, and bytes, of what came in from a generator; of a dummy and a card, all that they were given
seen() {
	local packets bytes

	case $1 in
	v*)
		# bytes of a filter begin behind the Ethernet header
		tc -s filter show dev "$1" ingress | awk '$1 == "Sent" { p += $4; b += $2 } END { print p, b + 14 * p }'
		;;
	*)
		# a card's counters are brought up to date
		[[ $1 != "$card" ]] || ethtool -S "$1" > /dev/null
		read -r packets < "/sys/class/net/$1/statistics/tx_packets"
		read -r bytes < "/sys/class/net/$1/statistics/tx_bytes"
		echo "$packets $bytes"
		;;
	esac
}

# seen_since "PACKETS BYTES" DEVICE: how many more than those
seen_since() {
	local was now

	read -r -a was <<< "$1"
	read -r -a now <<< "$(seen "$2")"
	echo "$((now[0] - was[0])) $((now[1] - was[1]))"
}

# The packets in all results of an output.
total() {
	awk '/^Result: OK: .* usec, / { n += $5 } END { print n + 0 }' "$1"
}

left() {
	grep -h '^[RS].*ed: .*[^ ]' "$PG"/kpktgend_* | grep -v '^Result'
}

# mask FOLDER-OF-SAMPLES FILE: without what no two runs have in common, and what is known to differ: the folder; in 6.1 no
# flag SHARED; the line that says why a run ended; which end of a range comes first.
mask() {
	sed -E -e "s|/proc/net/pktgen_ext|/proc/net/pktgen|g" \
		-e "s|^$1/|/|" \
		-e '/^     ended-by: /d' \
		-e '/^     Flags:/ s/SHARED  //' \
		-e 's/OK: [0-9]+\(c[0-9]+\+d[0-9]+\) usec/OK: N(cN+dN) usec/' \
		-e 's/^  [0-9]+pps [0-9]+Mb\/sec \([0-9]+bps\)/  Npps NMb\/sec (Nbps)/' \
		-e 's/[0-9]+us/Nus/g' \
		-e 's/cur_daddr: 198.18.0.[0-9]+/cur_daddr: 198.18.0.N/' \
		-e 's/(cur_udp_(src|dst)): [0-9]+/\1: N/g' \
		"$2"
}

# compare SIZE: says "same", or how the two outputs differ. Where IPv6 makes a frame larger than asked for, the in-tree
# module still reports what was asked for, 60.
compare() {
	mask "$ours" "$TMP/ours" > "$TMP/ours.masked"
	mask "$theirs" "$TMP/theirs" | sed -E "s/ \(60byte/ ($1byte/; s/_pkt_size: 60\>/_pkt_size: $1/g" > "$TMP/theirs.masked"
	diff -U 100 --label in-tree --label ours "$TMP/theirs.masked" "$TMP/ours.masked" && echo same
}

# shellcheck disable=SC2317 # by wait_until
settled() {
	[[ $(seen_since "$before" "$dev") == "$want" ]]
}

# both DEVICE PACKETS SIZE SCRIPT OPTION...: those frames, all of that size, are what DEVICE should see
both() {
	local dev=$1 packets=$2 size=$3 want="$2 $(($2 * $3))" name="${4#pktgen_}" before status

	shift 3
	name="${name%.sh} ${*:2}"
	before=$(seen "$dev")
	# There is but one card.
	[[ $dev == "$card" ]] || ip netns exec theirs "$theirs/$1" "${@:2}" > "$TMP/theirs" 2>&1 &
	"$ours/$1" "${@:2}" > "$TMP/ours" 2>&1
	status=$?
	wait
	is "$name: exit code" $status 0
	wait_until 3 settled
	is "$name: frames and bytes at $dev" "$(seen_since "$before" "$dev")" "$want"
	is "$name: packets in the results" "$(total "$TMP/ours")" "$packets"
	[[ $dev != "$card" ]] || "$theirs/$1" "${@:2}" > "$TMP/theirs" 2>&1
	is "$name: says what it says on the in-tree module" "$(compare "$size")" same
	is "$name: nothing is left" "$(left)" ''
}

modprobe pktgen
load
both v1 300 60 pktgen_sample01_simple.sh -i v0 -m $mac -n 300 -v -x
both v1 300 78 pktgen_sample01_simple.sh -i v0 -m $mac -n 300 -6
both v1 200 1000 pktgen_sample01_simple.sh -i v0 -m $mac -n 200 -d 198.18.0.0/24 -p 433-444 -k -s 1000 -w 20000
both v1 600 60 pktgen_sample02_multiqueue.sh -i v0 -n 300 -t 2
both v1 600 78 pktgen_sample02_multiqueue.sh -i v0 -n 300 -t 2 -6
both d0 600 60 pktgen_sample02_multiqueue.sh -i d0 -n 300 -t 2 -c 10
both d0 1280 60 pktgen_sample03_burst_single_flow.sh -i d0 -n 640 -t 2
both v1 300 78 pktgen_sample03_burst_single_flow.sh -i v0 -n 300 -b 0 -6
both v1 600 60 pktgen_sample04_many_flows.sh -i v0 -n 300 -t 2
both v1 300 78 pktgen_sample04_many_flows.sh -i v0 -n 300 -6
both d0 1280 60 pktgen_sample05_flow_per_thread.sh -i d0 -n 640 -t 2
both v1 600 78 pktgen_sample05_flow_per_thread.sh -i v0 -n 300 -b 0 -6 -t 2
both v0 4096 60 pktgen_bench_xmit_mode_netif_receive.sh -i v0 -n 2048 -t 2
both v0 2048 78 pktgen_bench_xmit_mode_netif_receive.sh -i v0 -n 2048 -6
both v1 600 60 pktgen_bench_xmit_mode_queue_xmit.sh -i v0 -n 300 -t 2
both v1 300 78 pktgen_bench_xmit_mode_queue_xmit.sh -i v0 -n 300 -6
numa=pktgen_sample06_numa_awared_queue_irq_affinity.sh
if [[ -n $card ]]; then
	both "$card" 300 60 $numa -i "$card" -n 300
	both "$card" $((card_threads * 300)) 78 $numa -i "$card" -n 300 -6 -t $card_threads
else
	skip "$numa" 'there is no card that this kernel has the driver of'
fi

# Append mode, the way the README of the samples shows it: each adds its entries, then all start together. In 6.1
# functions.sh looks for APPEND before the options are read, so it comes by the environment.
cat > "$TMP/joint.sh" << 'END'
cd "$1"
export APPEND=yes
source ./functions.sh
pg_ctrl reset
./pktgen_sample01_simple.sh -a -i v0 -m 02:00:00:00:00:02 -n 100
./pktgen_sample02_multiqueue.sh -a -i v0 -n 110 -t 2
./pktgen_sample03_burst_single_flow.sh -a -i d0 -n 640
./pktgen_sample04_many_flows.sh -a -i d0 -n 130 -f 1
./pktgen_sample05_flow_per_thread.sh -a -i d1 -n 960 -t 2
cat $PROC_DIR/kpktgend_[01]
pg_ctrl start
grep -h -A1 Result: $PROC_DIR/{v0,v0@0,v0@1,d0@0,d0@1,d1@0,d1@1}
pg_ctrl reset
END
before=("$(seen v1)" "$(seen d0)" "$(seen d1)")
ip netns exec theirs bash "$TMP/joint.sh" "$theirs" > "$TMP/theirs" 2>&1 &
bash "$TMP/joint.sh" "$ours" > "$TMP/ours" 2>&1
is 'append mode: exit code' $? 0
wait
is 'append mode: frames and bytes at v1' "$(seen_since "${before[0]}" v1)" "320 $((320 * 60))"
is 'append mode: frames and bytes at d0' "$(seen_since "${before[1]}" d0)" "770 $((770 * 60))"
is 'append mode: frames and bytes at d1' "$(seen_since "${before[2]}" d1)" "1920 $((1920 * 60))"
is 'append mode: packets in the results' "$(total "$TMP/ours")" $((320 + 770 + 1920))
is 'append mode: says what it says on the in-tree module' "$(compare 60)" same
if [[ -n $card ]]; then
	APPEND=yes "$ours/$numa" -a -i "$card" -n 150 > "$TMP/ours" 2>&1
	is 'append mode, sample06: exit code' $? 0
	start
	like 'append mode, sample06: result' "$(result "$card@0")" '^OK: .* usec, 150 \(60byte'
	echo reset > "$PG/pgctrl"
fi

# In place of the in-tree module: the scripts as they are, each with one thread; those that have no end get one.
unload
rmmod pktgen
PG=/proc/net/pktgen
load proc_name=pktgen

# alone DEVICE PACKETS SCRIPT OPTION...
alone() {
	local dev=$1 want="$2 $(($2 * 60))" name="drop-in: ${3#pktgen_}" before

	name=${name%.sh}
	before=$(seen "$dev")
	"$theirs/$3" "${@:4}" > "$TMP/ours" 2>&1
	is "$name: exit code" $? 0
	is "$name: frames and bytes at $dev" "$(seen_since "$before" "$dev")" "$want"
	is "$name: packets in the results" "$(total "$TMP/ours")" "${want% *}"
	is "$name: nothing is left" "$(left)" ''
}

# endless SCRIPT: ended by Ctrl-C, which the whole process group gets
endless() {
	local name="drop-in, endless: ${1#pktgen_}" before pid

	name=${name%.sh}
	before=$(seen d0)
	# what a shell without job control puts into the background ignores SIGINT
	set -m
	"$theirs/$1" -i d0 > "$TMP/ours" 2>&1 &
	pid=$!
	set +m
	check "$name: runs" wait_until 30 grep -q '^Running: d0@0' "$PG/kpktgend_0"
	sleep 0.5
	kill -INT -- -$pid
	check "$name: ends" wait_until 10 bash -c "! kill -0 $pid"
	wait $pid
	is "$name: exit code" $? 0
	like "$name: prints results" "$(< "$TMP/ours")" \
		$'\nDevice: d0@0\nResult: OK: [0-9]+\\(c[0-9]+\\+d[0-9]+\\) usec, [1-9][0-9]+ \\(60byte,0frags\\)\n  [1-9][0-9]*pps'
	is "$name: they are what the device was given" "$(total "$TMP/ours")" \
		"$(read -r packets _ <<< "$(seen_since "$before" d0)"; echo "$packets")"
	is "$name: nothing is left" "$(left)" ''
}

alone v1 300 pktgen_sample01_simple.sh -i v0 -m $mac -n 300
alone v1 300 pktgen_sample02_multiqueue.sh -i v0 -n 300
alone v0 5000 pktgen_bench_xmit_mode_netif_receive.sh -i v0 -n 5000
alone v1 300 pktgen_bench_xmit_mode_queue_xmit.sh -i v0 -n 300
endless pktgen_sample03_burst_single_flow.sh
endless pktgen_sample04_many_flows.sh
endless pktgen_sample05_flow_per_thread.sh
finish
