#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Load on the receive path from several threads: queues, RPS, taps.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Bring packets into the receive path from several threads at once (xmit_mode netif_receive). Each thread has
	--flows flows (UDP source ports) from a source address of its own. With --spread each has a receive queue of its
	own too, as a card with RSS sorts flows. --rps hands packets on to other CPUs, as "rps_cpus" of every queue says;
	--taps opens that many listeners, such as a sniffer has, each of which gets a copy. Shows at the end where the
	packets were processed. Without -i it makes a dummy device, with a queue for each thread, and removes it
	after the run. Unless -m is the device's own MAC address, the packets end in ip_rcv().

	Example: 2 threads, all CPUs by RPS, one listener, 10 seconds:
	  $pg_name -t 2 --spread --rps all --taps 1 -n 0 -T 10s
	EOF_ABOUT
}

# Queue 0 of a packet means that none is recorded, so receive queue N of it is N + 1. Numbers end at the transmit queues.
make_device() {
	[[ -z ${opt[device]} ]] || return 0
	opt[device]=pgx$$
	pg_add_dummy "${opt[device]}" numtxqueues $((opt[threads] + 1)) numrxqueues "${opt[threads]}"
}

start_taps() {
	local i

	((opt[taps] == 0)) || pg_need tcpdump "--taps" tcpdump
	for ((i = 0; i < opt[taps]; i++)); do
		tcpdump -i "${opt[device]}" -n -s 64 -w /dev/null 2> "$tmp/tap$i" &
		taps+=($!)
		pg_later stop_tap $!
		pg_until 10 grep -q 'listening on' "$tmp/tap$i" || pg_die "a listener does not start: $(tail -n 1 "$tmp/tap$i")"
	done
}

stop_tap() {
	kill -INT "$1" 2> /dev/null || return 0
	wait "$1" || true
}

set_rps() {
	local cpu words=() mask='' file i

	[[ -n ${opt[rps]} ]] || return 0
	for cpu in ${opt[rps]}; do
		((words[cpu / 32] = ${words[cpu / 32]:-0} | 1 << cpu % 32))
	done
	for ((i = cpu / 32; i >= 0; i--)); do
		printf -v mask '%s%s%08x' "$mask" "${mask:+,}" "${words[i]:-0}"
	done
	for file in "/sys/class/net/${opt[device]}"/queues/rx-*/rps_cpus; do
		pg_write "$file" "$mask" || pg_die "--rps: $file does not take $mask"
	done
}

# CPU, processed, dropped since its queue was full, woken by RPS of another; all in hexadecimal
softnet() {
	awk '{ print (NF >= 13 ? $13 : sprintf("%x", NR - 1)), $1, $2, $10 }' /proc/net/softnet_stat
}

prepare() {
	local rx tx

	taps=()
	pg_folder
	tmp=$REPLY
	rx=$(pg_queues "${opt[device]}" rx) tx=$(pg_queues "${opt[device]}" tx)
	queues=$((rx < tx - 1 ? rx : tx - 1))
	[[ -z ${opt[spread]} ]] || ((queues > 0)) ||
		pg_die "--spread: ${opt[device]} has too few queues ($rx to receive, $tx to transmit)"
	set_rps
	start_taps
	softnet > "$tmp/before"
}

entry() {
	pg_dev "$1" "xmit_mode netif_receive"
	pg_entry_ports "$1" "${opt[flows]}"
	pg_entry_range "$1" src "$(pg_ip_plus "$source" "$3")" "$(pg_ip_plus "$source" "$3")"
	[[ -n ${opt[spread]} ]] || return 0
	pg_dev "$1" "queue_map_min $(($3 % queues + 1))"
	pg_dev "$1" "queue_map_max $(($3 % queues + 1))"
}

# What RPS has handed over may still wait for its CPU.
settle() {
	local old=''

	while [[ $old != "$(softnet)" ]]; do
		old=$(softnet)
		sleep 0.2
	done
}

after_run() {
	local i cpu now before rest

	settle
	echo
	printf '%-6s %14s %14s %14s\n' CPU processed 'woken by RPS' 'queue full'
	while read -r -a now && read -r -a before <&3; do
		cpu=$((16#${now[0]}))
		for i in 1 2 3; do
			rest[i]=$(((16#${now[i]} - 16#${before[i]}) & 0xffffffff))
		done
		printf '%-6d %14d %14d %14d\n' "$cpu" "${rest[1]}" "${rest[3]}" "${rest[2]}"
	done < <(softnet) 3< "$tmp/before"
	for ((i = 0; i < ${#taps[@]}; i++)); do
		stop_tap "${taps[i]}"
		awk -v n="$i" '/captured|dropped by kernel/ { printf "%s%s", sep ? ", " : "tap " n ": ", $0; sep = 1 } END { print "" }' \
			"$tmp/tap$i"
	done
	pg_note_drops
}

check_options() {
	local first=198.18.0.1

	[[ -z ${opt[ipv6]} ]] || first=2001:2:0:1::1
	pg_ip_digits "$first"
	source=$REPLY
}

pg_options+=(
	"- flows N number:1:64512 flows of each thread"
	"- spread - - a receive queue for each thread"
	"- rps CPUS cpus CPUs that RPS hands packets to, such as 0-2,5, or all"
	"- taps N number:0:64 listeners"
)
pg_device_optional
pg_without clone "netif_receive has no clones; -b repeats a packet"
pg_without append "the queues and taps are for one run"
pg_default threads 2
pg_default flows 256
pg_default taps 0
pg_default count 1000000
pg_main "$@"
