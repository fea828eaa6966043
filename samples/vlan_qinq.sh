#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# VLAN tags, one or two.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send packets with a VLAN tag, or with two of them (QinQ): --svlan is the outer one, of the service provider.
	Tags are part of the packet, not left to the card, and part of its size.

	Example: VLAN 100 of priority 3 in the provider's VLAN 200, as IEEE 802.1ad has it:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 --vlan 100 --prio 3 --svlan 200 --tpid 88a8
	EOF_ABOUT
}

check_options() {
	local long

	[[ -z ${opt[svlan]} ]] || return 0
	for long in svlan-prio svlan-random tpid; do
		[[ -z ${given[$long]:-} ]] || pg_usage "${given[$long]} needs --svlan, the outer tag"
	done
}

# entry_tag NAME vlan-or-svlan PRIORITY RANDOM FLAG
entry_tag() {
	[[ -n ${opt[$2]} ]] || return 0
	pg_dev "$1" "${2}_id ${opt[$2]}"
	[[ -z $3 ]] || pg_dev "$1" "${2}_p $3"
	[[ -z $4 ]] || pg_dev "$1" "flag $5"
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "flag QUEUE_MAP_CPU"
	entry_tag "$1" vlan "${opt[prio]}" "${opt[vlan-random]}" VID_RND
	entry_tag "$1" svlan "${opt[svlan-prio]}" "${opt[svlan-random]}" SVID_RND
	[[ -z ${opt[tpid]} ]] || pg_dev "$1" "svlan_tpid ${opt[tpid]}"
}

pg_options+=(
	"- vlan ID number:0:4095 VLAN"
	"- prio N number:0:7 priority in that tag"
	"- vlan-random - - a random VLAN for each packet"
	"- svlan ID number:0:4095 outer VLAN"
	"- svlan-prio N number:0:7 priority in the outer tag"
	"- svlan-random - - a random outer VLAN for each packet"
	"- tpid TYPE choice:8100:88a8 type of the outer tag, where the generator knows svlan_tpid: 8100 or 88a8"
)
pg_default vlan 100
pg_default size 100
pg_main "$@"
