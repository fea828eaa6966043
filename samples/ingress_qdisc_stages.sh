#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What does an ingress qdisc cost a received packet? Four stages, from none to one that drops.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Measure the receive path (xmit_mode netif_receive) in four stages:
	  none    no ingress qdisc on any device, so that the kernel has patched the hook out
	  other   one on another device: the hook is there, this device has nothing to do
	  here    one on this device, without a filter
	  drop    with a filter on this device that drops every packet
	The first three end with the drop in ip_rcv(), unless -m is the device's own MAC address. Every round goes through
	all stages; the table has the median of --rounds. Without -i it makes a dummy device and removes it after the run.

	Example: 9 rounds of a second and more for each stage, with clsact:
	  $pg_name --rounds 9 -n 5M --qdisc clsact
	EOF_ABOUT
}

stages=(none other here drop)

# Of any device, this one or not: there is but one hook. Other namespaces and nftables can use it too, unseen.
prepare() {
	local found

	pg_need tc "ingress qdiscs" iproute2
	found=$(tc qdisc show | awk '$2 ~ /^(ingress|clsact)$/ { print $5 }' | sort -u)
	[[ -z $found ]] || pg_die "there are ingress qdiscs already, so there is no stage without one: ${found//$'\n'/ }." \
		"'tc qdisc del dev DEV clsact' (or ingress) removes one"
	other=pgo$$
	pg_add_dummy "$other"
	pg_later take_down
	pg_folder
	runs=$REPLY/runs
}

entry() {
	pg_dev "$1" "xmit_mode netif_receive"
}

set_up() {
	case $1 in
	other) tc qdisc add dev "$other" "${opt[qdisc]}" ;;
	here) tc qdisc add dev "${opt[device]}" "${opt[qdisc]}" ;;
	drop)
		tc qdisc add dev "${opt[device]}" "${opt[qdisc]}"
		# shellcheck disable=SC2086 # words of a filter
		tc filter add dev "${opt[device]}" ingress protocol all ${opt[filter]} action drop
		;;
	esac || pg_die "stage $1: tc failed"
}

take_down() {
	local dev

	for dev in "$other" "${opt[device]}"; do
		tc qdisc del dev "$dev" "${opt[qdisc]}" 2> /dev/null || true
	done
}

# one_stage STAGE ROUND
one_stage() {
	pg_info "round $2, stage $1"
	set_up "$1"
	pg_run
	take_down
	pg_collect
	((pg_packets > 0)) || pg_die "stage $1: no packets"
	awk -v stage="$1" '{ ns += $3 * 1000 / $2; pps += $4 } END { print stage, ns / NR, pps }' <<< "${pg_rows%$'\n'}" >> "$runs"
}

measure() {
	local round stage

	for ((round = 1; round <= opt[rounds]; round++)); do
		for stage in "${stages[@]}"; do
			one_stage "$stage" "$round"
			[[ -z $pg_stopped || $pg_stopped == limit ]] || break 2
		done
	done
	sort -k 1,1 -k 2,2n "$runs" | stage_table
}

# Lines "STAGE NS PPS" in order of NS.
stage_table() {
	awk -v stages="${stages[*]}" '
		function median(values, stage, count) {
			return (values[stage, int((count + 1) / 2)] + values[stage, int(count / 2) + 1]) / 2
		}
		{ n[$1]++; ns[$1, n[$1]] = $2; pps[$1, n[$1]] = $3 }
		END {
			printf "%-6s %5s %10s %10s %10s %12s %11s %11s\n", "stage", "runs", "ns/packet", "lowest", "highest",
				"pps", "to before", "to none"
			for (i = 1; i <= split(stages, order, " "); i++) {
				stage = order[i]
				if (!n[stage]) continue
				now = median(ns, stage, n[stage])
				if (i == 1) none = before = now
				printf "%-6s %5d %10.1f %10.1f %10.1f %12.0f %+11.1f %+11.1f\n", stage, n[stage], now, ns[stage, 1],
					ns[stage, n[stage]], median(pps, stage, n[stage]), now - before, now - none
				before = now
			}
		}'
}

after_run() {
	echo
	echo "ns/packet and pps are medians, the last two columns differences of ns/packet. All of this is one session on"
	echo "one machine, $(uname -r) on $(uname -m): a difference below the spread (lowest, highest) says nothing."
}

pg_options+=(
	"- rounds N number:1:1000 rounds through all stages"
	"- qdisc KIND choice:ingress:clsact ingress or clsact"
	"- filter TEXT any the filter that drops, in the words of tc, without its action"
)
pg_device_optional
pg_without clone "netif_receive has no clones; -b repeats a packet"
pg_without append "the stages need runs"
pg_default rounds 5
pg_default qdisc clsact
pg_default filter matchall
pg_default burst 1024
pg_default count 1000000
pg_main "$@"
