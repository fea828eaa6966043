#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Many flows at once: how a receiver, its tables and its caches cope.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send many flows. A flow is a destination out of those of -d; it stays the same for --flowlen packets, after
	which its place is taken by the next one. One flow after the other, or with --mixed each packet from any of
	the --flows that are open. With --random destinations are drawn, else counted up.

	Example: 4,096 flows of 20 packets at any time, mixed, to a network of 65,536 addresses:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 -d 198.18.0.0/16 --flows 4096 --flowlen 20 --mixed
	EOF_ABOUT
}

# RFC 2544 and RFC 5180 have these networks for benchmarks.
check_options() {
	local network=198.18.0.0/15

	[[ -z ${opt[ipv6]} ]] || network=2001:2::/48
	pg_ip_range --any-source "$network"
	sources=$REPLY
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "flag QUEUE_MAP_CPU"
	pg_dev "$1" "flows ${opt[flows]}"
	pg_dev "$1" "flowlen ${opt[flowlen]}"
	[[ -n ${opt[mixed]} ]] || pg_dev "$1" "flag FLOW_SEQ"
	[[ -n ${opt[any-source]} ]] || return 0
	pg_entry_range "$1" src "$(pg_ip_text "${sources% *}")" "$(pg_ip_text "${sources#* }")"
	pg_dev "$1" "flag IPSRC_RND"
}

pg_options+=(
	"- flows N number:1:65536 flows that are open at a time, per thread"
	"- flowlen N number:1:4294967295 packets of a flow"
	"- mixed - - packets of open flows in random order"
	"- any-source - - a random source address for each packet, from the networks for benchmarks"
)
pg_default dest-ip 198.18.0.0/16
pg_default flows 8000
pg_default flowlen 10
pg_without burst "a burst repeats one packet, so it has no flows"
pg_without clone "clones repeat one packet, so they have no flows"
pg_main "$@"
