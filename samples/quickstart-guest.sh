#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The part of quickstart.sh that needs root and loads modules: in the virtual machine, or on the host for --host.
#
#   quickstart-guest.sh -m MODULE.ko [-r ROUNDS] [-b BURST]
#
# Everything happens in a network namespace of its own, so that no device, filter or sniffer of the host is met, and
# what was loaded is unloaded at the end. Prints what is going on in lines that start with "#", and for quickstart.sh,
# separated by tabs:
#
#   run     DOOR THREADS GENERATOR ROUND PACKETS USEC PPS NS_PER_PACKET
#   result  DOOR THREADS GENERATOR ROUND ENTRY LINE
set -uo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/bench/runs.sh
source "$here/../selftests/bench/runs.sh"

# --- outside of the namespace: modules come and go

# load NAME COMMAND...: remembers what was not there before
load() {
	[[ ! -e /sys/module/$1/initstate ]] || return 0
	"${@:2}" || return
	[[ ! -e /sys/module/$1/initstate ]] || loaded=("$1" "${loaded[@]}")
}

unload() {
	local name

	for name in "${loaded[@]}"; do
		rmmod "$name" || echo "# $name stays loaded" >&2
	done
}

outside() {
	loaded=()
	trap unload EXIT
	trap 'exit 130' INT TERM
	[[ ! -d /sys/module/pktgen_ext ]] || pgx_fail "pktgen_ext is loaded already; unload it first: rmmod pktgen_ext"
	load dummy modprobe dummy numdummies=0 || pgx_fail "this kernel has no dummy device"
	load pktgen modprobe pktgen || echo "# this kernel has no pktgen module, so there is nothing to compare with"
	load pktgen_ext insmod "$module" || pgx_fail "cannot load $module, see the kernel log"
	unshare --net -- "$0" --inside "$@"
}

# --- inside

pick_generators() {
	generators=()
	[[ ! -d /proc/net/pktgen ]] || generators+=(in-tree=/proc/net/pktgen)
	generators+=(pktgen_ext=/proc/net/pktgen_ext)
}

pick_threads() {
	threads=(1)
	if [[ -e /proc/net/pktgen_ext/kpktgend_1 ]]; then
		threads+=(2)
	else
		echo "# there is one CPU only, so no runs with two threads"
	fi
}

# run FOLDER DOOR THREADS COUNT: leaves the Results readable
run() {
	pgx_configure "$1" "$device" "$3" "$4" "xmit_mode $2" "burst $burst"
	pgx_put "$1/pgctrl" start
}

# choose_count DOOR: leaves in $count what takes a generator about half a second here. It also warms both of them up.
choose_count() {
	local generator usec packets numbers

	count=0
	echo "# $1: how many packets take half a second?"
	for generator in "${generators[@]}"; do
		run "${generator#*=}" "$1" 1 20480
		numbers=$(pgx_usec_packets "${generator#*=}/$device@0") || exit 1
		read -r usec packets <<< "$numbers"
		((count)) || count=$((packets * 500000 / (usec + 1) / 1024 * 1024 + 1024))
		pgx_put "${generator#*=}/pgctrl" reset
	done
}

# sums FOLDER THREADS: packets, the longest time, packets per second by it, and the mean cost of a packet to its thread
sums() {
	local i

	for ((i = 0; i < $2; i++)); do
		pgx_usec_packets "$1/$device@$i" || exit 1
	done | awk '
	$1 > 0 && $2 > 0 {
		packets += $2
		if ($1 > usec) usec = $1
		ns += $1 * 1000 / $2
	}
	END {
		if (packets) printf "%d\t%d\t%d\t%.1f\n", packets, usec, packets * 1000000 / usec, ns / NR
	}'
}

# report GENERATOR DOOR THREADS ROUND
report() {
	local name=${1%%=*} folder=${1#*=} i figures

	figures=$(sums "$folder" "$3")
	[[ -n $figures ]] || pgx_fail "$name, $2, $3 threads: no result of a run"
	printf 'run\t%s\t%s\t%s\t%s\t%s\n' "$2" "$3" "$name" "$4" "$figures"
	for ((i = 0; i < $3; i++)); do
		pgx_result "$folder/$device@$i" |
			sed "s/^/result\t$2\t$3\t$name\t$4\t$device@$i\t/"
	done
}

# one_run GENERATOR DOOR THREADS ROUND
one_run() {
	echo "# $2, threads: $3, ${1%%=*}, run $4 of $rounds"
	run "${1#*=}" "$2" "$3" "$count"
	report "$@"
	pgx_put "${1#*=}/pgctrl" reset
}

# Every other round goes backwards, so that what changes slowly about the machine favours nobody.
one_round() {
	local i last=$((${#generators[@]} - 1))

	for ((i = 0; i <= last; i++)); do
		one_run "${generators[$3 % 2 ? i : last - i]}" "$@"
	done
}

remove_device() {
	local generator

	for generator in "${generators[@]}"; do
		echo reset 2> /dev/null > "${generator#*=}/pgctrl"
	done
	ip link del "$device" 2> /dev/null
}

inside() {
	local door number round

	device=dummy0
	pick_generators
	trap remove_device EXIT
	trap 'exit 130' INT TERM
	pgx_make_device "$device" 2
	pick_threads
	printf 'kernel\t%s\n' "$(uname -r)"
	for door in netif_receive start_xmit; do
		choose_count "$door"
		for number in "${threads[@]}"; do
			for ((round = 1; round <= rounds; round++)); do
				one_round "$door" "$number" "$round"
			done
		done
	done
}

main() {
	local place=outside opt

	if [[ ${1:-} == --inside ]]; then
		place=inside
		shift
	fi
	module='' rounds=3 burst=1
	while getopts m:r:b: opt; do
		case $opt in
		m) module=$OPTARG ;;
		r) rounds=$OPTARG ;;
		b) burst=$OPTARG ;;
		*) exit 2 ;;
		esac
	done
	$place "$@"
}

main "$@"
