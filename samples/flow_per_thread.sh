#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# One flow per thread, and nothing in common with those of the other threads.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Each thread sends one flow with a source and a destination of its own: -d and the addresses after it, and
	--source and the addresses after it. A receiver that keeps flows apart scales with the number of threads; where
	it does not, something is shared. Devices whose driver edits packets, such as veth, need -b 1.

	Example: 4 threads, to 198.18.0.42 up to 198.18.0.45:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 -t 4 -n 0 -T 10s
	EOF_ABOUT
}

check_options() {
	[[ -n ${given[source]:-} || -z ${opt[ipv6]} ]] || opt[source]=2001:2:0:1::1
	pg_ip_digits "${opt[source]}" || pg_refuse "${given[source]:---source}" "${opt[source]}" "an address, IPv4 or IPv6"
	source=$REPLY
	pg_ip_digits "${opt[dst-min]}"
	first=$REPLY
	((${#source} == ${#first})) || pg_usage "${given[source]:---source} ${opt[source]}: -d is of the other family"
	[[ ${opt[dst-min]} == "${opt[dst-max]}" ]] ||
		pg_refuse "${given[dest-ip]:--d}" "${opt[dest-ip]}" "one address, that of the first thread"
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "flag QUEUE_MAP_CPU"
	opt[dst-min]=$(pg_ip_plus "$first" "$3")
	opt[dst-max]=${opt[dst-min]}
	pg_entry_range "$1" src "$(pg_ip_plus "$source" "$3")" "$(pg_ip_plus "$source" "$3")"
	pg_info "$1: to ${opt[dst-min]}"
}

pg_options+=("- source IP any source address of the first thread")
pg_default source 198.19.0.1
pg_default burst 32
pg_without random "a thread has one flow"
pg_main "$@"
