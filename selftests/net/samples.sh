#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The samples: each does its job once, says what it did, refuses nonsense, and removes what it added.
# pgx: timeout 240
# shellcheck source=selftests/net/lib.sh
source "$PGX_TOP/selftests/net/lib.sh"
samples=$PGX_TOP/samples

# The packets in the last line of a sample's table.
total() {
	awk '$1 == "total" { print $2 }' <<< "$1"
}

# sample SCRIPT PACKETS OPTION...
sample() {
	local script=$1 want=$2 output status

	shift 2
	output=$("$samples/$script" "$@" 2> "$TMP/stderr")
	status=$?
	is "$script: exit code" "$status" 0
	is "$script: packets" "$(total "$output")" "$want"
	is "$script: nothing is left" "$(grep -h '^[RS].*ed: .*[^ ]' "$PG"/kpktgend_* | grep -v '^Result')" ''
	((status == 0)) || sed 's/^/# /' "$TMP/stderr"
}

modprobe dummy
add_dummy d0 numtxqueues 2
sample simple.sh 1000 -i d0 -n 1000 -s 100 -d 198.18.0.1 -m 02:00:00:00:00:02
before=$(tx_packets d0)
sample multiqueue.sh 4000 -i d0 -t 2 -n 2000
is 'multiqueue.sh: the device has sent them' $(($(tx_packets d0) - before)) 4000
sample burst_single_flow.sh 5000 -i d0 -n 5000 -b 64
sample ingress_bench.sh 5000 -n 5000
sample queue_xmit_bench.sh 3000 -i d0 -n 3000

for script in simple multiqueue burst_single_flow ingress_bench queue_xmit_bench ingress_profile; do
	check "$script.sh --help" "$samples/$script.sh" --help
	"$samples/$script.sh" -i d0 -n nonsense > /dev/null 2> "$TMP/stderr"
	is "$script.sh: a wrong count" "$?" 2
	like "$script.sh: says which and what is allowed" "$(< "$TMP/stderr")" '-n.*nonsense'
done

# perf looks at every file of /lib/modules, which takes a minute over 9p; the modules are in.
mount -t tmpfs none /lib/modules
later umount /lib/modules
output=$("$samples/ingress_profile.sh" -b 32 -T 2s 2> "$TMP/stderr")
is 'ingress_profile.sh: exit code' "$?" 0
share=$(awk '$1 == "generator" { sub("%", "", $2); print int($2) }' <<< "$output")
# Under emulation a sample falls where a block of code begins, which makes short loops look long: 12 % to 58 % were seen.
check 'ingress_profile.sh: the generator has a share, and so have others' test "$share" -gt 0 -a "$share" -lt 80
is 'ingress_profile.sh: groups' "$(awk '/%/ { print $1 }' <<< "$output" | grep -cE '^(generator|receive|IP|memory|drop)$')" 5
finish
