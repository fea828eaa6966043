#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Sourced where the generators run: one run of one generator, through the text interface that both have.
#
# A generator is written NAME=FOLDER, such as in-tree=/proc/net/pktgen.

# The receiver's address is not the device's own, so that ip_rcv drops what netif_receive brings in.
pgx_device_mac=02:00:00:00:00:01
pgx_foreign_mac=02:00:00:00:00:99

pgx_fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# pgx_put FILE COMMAND...: a refused command ends everything, with the generator's own words
pgx_put() {
	local file=$1

	shift
	printf '%s\n' "$*" 2> /dev/null > "$file" && return
	pgx_fail "$file refused '$*': $(grep -s -A1 '^Result:' "$file")"
}

# As above, for a device: some errors are told in the Result alone. It is read without a child of its own, for there
# are many commands, and a process costs much in an emulated CPU.
pgx_set() {
	local lines

	pgx_put "$@"
	mapfile -t lines < "$1"
	[[ ${lines[*]} == *'Result: OK:'* ]] || pgx_fail "$1 after '${*:2}': $(pgx_result "$1")"
}

# pgx_make_device NAME QUEUES
pgx_make_device() {
	modprobe dummy numdummies=0 2> /dev/null
	ip link add "$1" address "$pgx_device_mac" numtxqueues "$2" type dummy || pgx_fail "cannot make $1"
	ip link set "$1" up || pgx_fail "cannot set $1 up"
}

# pgx_configure FOLDER DEVICE THREADS COUNT COMMAND...: one entry per thread, each on its own CPU and queue
pgx_configure() {
	local folder=$1 device=$2 threads=$3 count=$4 i command

	shift 4
	pgx_put "$folder/pgctrl" reset
	for ((i = 0; i < threads; i++)); do
		pgx_put "$folder/kpktgend_$i" add_device "$device@$i"
		for command in "count $count" "pkt_size 60" "delay 0" "dst 198.18.0.2" "src_min 198.18.0.1" \
			"dst_mac $pgx_foreign_mac" "flag NO_TIMESTAMP" \
			"queue_map_min $i" "queue_map_max $i" "$@"; do
			pgx_set "$folder/$device@$i" "$command"
		done
	done
}

# pgx_result FILE: the Result lines of a run
pgx_result() {
	sed -n '/^Result: /,$p' "$1"
}

# pgx_usec_packets FILE: "USEC PACKETS" of a finished run
pgx_usec_packets() {
	local pattern='OK: ([0-9]+)\(c[0-9]+\+d[0-9]+\) usec, ([0-9]+) \(' result

	result=$(pgx_result "$1")
	[[ $result =~ $pattern ]] || pgx_fail "$1: no result of a run: $result"
	echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
}
