#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# IPv6, with ranges of addresses at both ends.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send IPv6. Any sample does with -6 or an IPv6 address after -d; this one has the rest of what IPv6 takes.
	Addresses of ranges are taken in order, or with --random at random. Without --source it is the device's
	link-local address. UDP has a checksum, as IPv6 wants it.

	Example: from 256 sources to a network, at random:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 -d 2001:2:0:1::/64 --source 2001:2::/120 --random
	EOF_ABOUT
}

# OPTION VALUE
pg_check_source() {
	[[ $2 == *:* ]] || pg_refuse "$1" "$2" "an IPv6 address, a range A-B of them, or a network A/LENGTH"
	pg_ip_range "$1" "$2"
	source_min=$(pg_ip_text "${REPLY% *}")
	source_max=$(pg_ip_text "${REPLY#* }")
	REPLY=$2
}

check_options() {
	[[ -n ${opt[ipv6]} ]] || pg_refuse "${given[dest-ip]}" "${opt[dest-ip]}" "an IPv6 address, a range, or a network"
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "flag QUEUE_MAP_CPU"
	[[ -z ${opt[tclass]} ]] || pg_dev "$1" "traffic_class $(printf %02x "${opt[tclass]}")"
	[[ -z ${opt[no-csum]} ]] || pg_dev "$1" "flag !UDPCSUM"
	[[ -n ${opt[source]} ]] || return 0
	pg_entry_range "$1" src "$source_min" "$source_max"
	[[ -z ${opt[random]} ]] || pg_dev "$1" "flag IPSRC_RND"
}

pg_options+=(
	"- source IP source source: an address, a range A-B, or a network A/LENGTH"
	"- tclass N number:0:255 traffic class"
	"- no-csum - - no UDP checksum, which receivers refuse"
)
pg_default dest-ip 2001:2::42
pg_default size 78
pg_main "$@"
