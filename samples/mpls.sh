#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# MPLS labels, up to 16.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send packets with a stack of MPLS labels. A label is LABEL, LABEL:TC or LABEL:TC:TTL, in decimal; the first one
	is the outermost. The label "random" is drawn anew for each packet. The bottom of the stack is marked as such.
	Labels are part of the packet's size.

	Example: label 16 with traffic class 5, below it label 17, below that a random one:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 --labels 16:5,17,random
	EOF_ABOUT
}

# One label as a word of RFC 3032 in REPLY, or return 1. The bit for the bottom of the stack is how the generator is told
# that a label is random; where the bottom is, it knows.
label_word() {
	local label tc ttl

	[[ $1 =~ ^(random|[0-9]{1,7})(:([0-7])(:([0-9]{1,3}))?)?$ ]] || return 1
	label=${BASH_REMATCH[1]} tc=${BASH_REMATCH[3]:-0} ttl=$((10#${BASH_REMATCH[5]:-64}))
	[[ $label != random ]] || label=0 tc=$((tc << 1 | 1)) random=yes
	[[ -n $random ]] || tc=$((tc << 1))
	((10#$label < 1 << 20 && ttl < 256)) || return 1
	printf -v REPLY '%08x' $((10#$label << 12 | tc << 8 | ttl))
}

# OPTION VALUE
pg_check_labels() {
	local label labels random words=() allowed='1 to 16 of LABEL[:TC[:TTL]] with commas between, '

	allowed+='labels from 0 to 1048575 or "random", TC from 0 to 7, TTL from 0 to 255'
	IFS=, read -r -a labels <<< "$2"
	[[ ${#labels[@]} -ge 1 && ${#labels[@]} -le 16 && $2 != *, ]] || pg_refuse "$1" "$2" "$allowed"
	for label in "${labels[@]}"; do
		random=''
		label_word "$label" || pg_refuse "$1" "$2" "$allowed"
		words+=("$REPLY")
	done
	REPLY=$(IFS=,; echo "${words[*]}")
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "flag QUEUE_MAP_CPU"
	pg_dev "$1" "mpls ${opt[labels]}"
}

pg_options+=("- labels LIST labels the stack, the outermost label first")
pg_default labels 16
pg_default size 150
pg_main "$@"
