#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Guest part of instructions.sh: every row with every generator, in one boot.
#
#   instructions-guest.sh [-m MODULE.ko] [-r ROUNDS] NAME=FOLDER ...
#
# Prints, separated by tabs, "kernel RELEASE", and "run NAME DOOR BURST ROUND PACKETS USEC" for each run; what is going
# on in lines that start with "#".
set -uo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/bench/runs.sh
source "$here/runs.sh"

# Door, burst and packets. Each row is some 300 million instructions of the in-tree generator: what a run costs once,
# and the timer interrupts that a short run meets by chance, are then about a thousandth. An array and no process
# substitution: the end of a child is a signal, and the in-tree generator cuts a reset or a start short at any signal.
rows=(
	"netif_receive	1	200704"
	"netif_receive	32	1048576"
	"netif_receive	1024	1048576"
	"start_xmit	1	262144"
	"start_xmit	32	3145728"
	"start_xmit	1024	4194304"
)

# one_run NAME FOLDER DOOR BURST ROUND PACKETS
one_run() {
	local name=$1 folder=$2 door=$3 burst=$4 round=$5 packets=$6 result

	echo "# $door, burst $burst, $name, run $round of $rounds"
	pgx_configure "$folder" "$device" 1 "$packets" "xmit_mode $door" "burst $burst"
	pgx_put "$folder/pgctrl" start
	result=$(pgx_usec_packets "$folder/$device@0") || exit 1
	printf 'run\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$door" "$burst" "$round" "${result#* }" "${result% *}"
	pgx_put "$folder/pgctrl" reset
}

one_row() {
	local door=$1 burst=$2 packets=$3 round generator

	for ((round = 1; round <= rounds; round++)); do
		for generator in "${generators[@]}"; do
			one_run "${generator%%=*}" "${generator#*=}" "$door" "$burst" "$round" "$packets"
		done
	done
}

module='' rounds=2 device=pgxbench0
while getopts m:r: opt; do
	case $opt in
	m) module=$OPTARG ;;
	r) rounds=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
generators=("$@")

modprobe pktgen || pgx_fail "this kernel has no pktgen to compare with"
[[ -z $module ]] || insmod "$module" || pgx_fail "cannot load $module"
pgx_make_device "$device" 1
printf 'kernel\t%s\n' "$(uname -r)"
for row in "${rows[@]}"; do
	read -r door burst packets <<< "$row"
	one_row "$door" "$burst" "$packets"
done
