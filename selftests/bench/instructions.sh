#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Instructions per packet: the in-tree pktgen and pktgen_ext in the same boot, with the same commands.
#
#   instructions.sh [-k SERIES ...] [-r ROUNDS] [--json FILE] [--self]
#
#   -k SERIES     kernel to boot, may be given more than once, default 6.12
#   -r ROUNDS     runs of each row, of which the cheapest counts, default 2
#   --json FILE   the figures for programs
#   --self        measure the in-tree generator against itself: what the instrument's own noise is
#
# QEMU advances the guest's time by 1 ns per instruction, so usec * 1000 / packets is instructions per packet, and a
# busy machine changes nothing but how long this takes. Exit code: 0 when pktgen_ext costs at most what the in-tree
# generator costs in every row, 1 when not, 2 when there are no figures.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
vm=$here/../vm
# shellcheck source=selftests/bench/phase.sh
source "$here/phase.sh"

noise=0.2	# per cent that two measurements of the same thing may differ by

usage() {
	sed -n '3,14s/^# \{0,1\}//p' "$0"
	exit "$1"
}

# Reached through phase.
# shellcheck disable=SC2317
# The module's path is the last line that build.sh prints.
build() {
	"$vm/build.sh" "$1" | tee "$work/build"
}

# shellcheck disable=SC2317
boot_and_run() {
	echo "# booting"
	"$vm/vm.sh" -k "$1" -i -t 900 -- "$here/instructions-guest.sh" "${module[@]}" -r "$rounds" "${generators[@]}"
}

# measure SERIES: leaves the guest's lines in $work/SERIES
measure() {
	local series=$1 module=()

	if [[ -z $self ]]; then
		phase "$work/log" "Building the module for kernel $series" build "$series" || exit 2
		module=(-m "$(tail -n 1 "$work/build")")
	fi
	phase "$work/$series" "Counting on kernel $series" boot_and_run "$series" || exit 2
}

# From the guest's lines, one line per row: door, burst, the cheapest of each generator, the spread of each in per cent.
digest() {
	tr -d '\r' < "$1" | awk '
	$1 == "run" && NF == 7 && $6 > 0 {
		row = $3 "\t" $4
		if (!(row in seen)) {
			seen[row] = 1
			order[++rows] = row
		}
		key = row SUBSEP $2
		cost = $7 * 1000 / $6
		if (!(key in least) || cost < least[key]) least[key] = cost
		if (cost > most[key]) most[key] = cost
	}
	function spread(key) {
		return (most[key] / least[key] - 1) * 100
	}
	END {
		for (i = 1; i <= rows; i++) {
			theirs = order[i] SUBSEP "in-tree"
			ours = order[i] SUBSEP "pktgen_ext"
			if (!(theirs in least) || !(ours in least)) exit 1
			printf "%s\t%.2f\t%.2f\t%.3f\t%.3f\n", order[i], least[theirs], least[ours],
				spread(theirs), spread(ours)
		}
		exit rows == 0
	}'
}

# table KERNEL < DIGEST: fails when a row costs more
table() {
	awk -F '\t' -v kernel="$1" -v noise="$noise" -v rounds="$rounds" -v ours="$ours" '
	BEGIN {
		printf "\nInstructions per packet, kernel %s, dummy device, 60 byte, NO_TIMESTAMP, identical packets\n\n", kernel
		printf "%-28s %9s %12s %7s   %-7s %s\n", "row", "in-tree", ours, "ratio", "verdict", "spread"
	}
	{
		ratio = $4 / $3
		ok = ratio <= 1 + noise / 100
		worse += !ok
		printf "%-28s %9.1f %12.1f %7.3f   %-7s %.2f %%, %.2f %%\n", $1 ", burst " $2, $3, $4, ratio,
			ok ? "ok" : "WORSE", $5, $6
	}
	END {
		printf "\nEach figure is the lower of %d runs; spread is how far apart they were, in-tree and %s.\n", rounds, ours
		printf "netif_receive: foreign destination MAC, dropped in ip_rcv. "
		printf "A ratio up to %.3f passes: %s %% is the noise allowed for.\n", 1 + noise / 100, noise
		if (worse) printf "%s costs more than in-tree in %d of %d rows.\n", ours, worse, NR
		else printf "%s costs at most what in-tree costs in all %d rows.\n", ours, NR
		exit worse > 0
	}'
}

# json KERNEL < DIGEST: one object per line, to be joined to an array
json() {
	awk -F '\t' -v kernel="$1" -v noise="$noise" '{
		printf "{\"kernel\": \"%s\", \"door\": \"%s\", \"burst\": %d, \"in_tree\": %.2f, \"pktgen_ext\": %.2f, ",
			kernel, $1, $2, $3, $4
		printf "\"ratio\": %.4f, \"spread_percent\": [%.3f, %.3f], \"ok\": %s}\n", $4 / $3, $5, $6,
			$4 / $3 <= 1 + noise / 100 ? "true" : "false"
	}'
}

write_json() {
	{
		echo '['
		sed '$!s/$/,/; s/^/  /' "$work/json"
		echo ']'
	} > "$1"
}

report() {
	local kernel

	kernel=$(tr -d '\r' < "$work/$1" | awk '$1 == "kernel" { print $2 }')
	if ! digest "$work/$1" > "$work/digest"; then
		echo "instructions.sh: the guest did not measure every row:" >&2
		cat "$work/$1" >&2
		exit 2
	fi
	table "$kernel" < "$work/digest" || verdict=1
	json "$kernel" < "$work/digest" >> "$work/json"
}

# shellcheck disable=SC2317
clean_up() {
	phase_unwatch
	rm -rf "$work"
}

series=() rounds=2 json='' self='' ours=pktgen_ext verdict=0
generators=(in-tree=/proc/net/pktgen pktgen_ext=/proc/net/pktgen_ext)
while (($#)); do
	case $1 in
	-k) series+=("${2:?series}"); shift ;;
	-r) rounds=${2:?rounds}; shift ;;
	--json) json=${2:?file}; shift ;;
	--self) self=1 ours='again'; generators[1]=pktgen_ext=/proc/net/pktgen ;;
	-h | --help) usage 0 ;;
	*) usage 2 >&2 ;;
	esac
	shift
done
((${#series[@]})) || series=(6.12)

work=$(mktemp -d "${TMPDIR:-/tmp}/pgx-bench.XXXXXX")
trap clean_up EXIT
trap 'exit 130' INT TERM
for kernel in "${series[@]}"; do
	measure "$kernel"
	report "$kernel"
done
[[ -z $json ]] || write_json "$json"
exit "$verdict"
