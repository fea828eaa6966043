#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Sizes as on the Internet: a mix in fixed shares.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send packets of several sizes in the shares that --weights gives, and show how many there were of each. Sizes
	are those of frames without FCS. The default is the "simple IMIX": 7 of 46, 4 of 576 and 1 of 1500 byte IP.

	Example: half of the packets small, half of them large:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 --weights '60,1 1514,1'
	EOF_ABOUT
}

# OPTION VALUE
pg_check_weights() {
	local pair pairs allowed='1 to 20 pairs SIZE,WEIGHT with one blank between, sizes from 42 on and weights from 1 on'

	read -r -a pairs <<< "$2"
	[[ ${#pairs[@]} -ge 1 && ${#pairs[@]} -le 20 && "${pairs[*]}" == "$2" ]] || pg_refuse "$1" "$2" "$allowed"
	for pair in "${pairs[@]}"; do
		[[ $pair =~ ^([0-9]{1,5}),([0-9]{1,9})$ ]] || pg_refuse "$1" "$2" "$allowed"
		((10#${BASH_REMATCH[1]} >= 42 && 10#${BASH_REMATCH[2]} >= 1)) || pg_refuse "$1" "$2" "$allowed"
		opt[size]=$((10#${BASH_REMATCH[1]} > opt[size] ? 10#${BASH_REMATCH[1]} : opt[size]))
	done
	given[size]=$1
	REPLY=$2
}

# For the device the largest size counts; the entry gets none, it has the weights.
prepare() {
	opt[size]=''
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "flag QUEUE_MAP_CPU"
	pg_try "$1" "imix_weights ${opt[weights]}" || pg_failed "$1" "imix_weights ${opt[weights]}" "$REPLY"
}

after_run() {
	local added

	echo
	for added in "${pg_added[@]#* }"; do
		grep -E '^ *imix_(weights|size_counts):' "${opt[proc]}/$added" || true
	done | awk '
		{ counts = $1 ~ /counts/; if (!counts) rows = 0 }
		{
			for (i = 2; i <= NF; i++) {
				split($i, pair, ",")
				if (counts) packets[i] += pair[2]
				else { size[i] = pair[1]; weight[i] = pair[2]; if (i > last) last = i }
				sum += counts * pair[2]
			}
		}
		END {
			for (i = 2; i <= last; i++) weights += weight[i]
			printf "%8s %8s %14s %9s %9s\n", "size", "weight", "packets", "share", "asked for"
			for (i = 2; i <= last; i++)
				printf "%8d %8d %14.0f %8.2f%% %8.2f%%\n", size[i], weight[i], packets[i],
					sum ? packets[i] * 100 / sum : 0, weight[i] * 100 / weights
		}'
}

pg_options+=("- weights LIST weights sizes and weights, such as '60,7 590,4 1514,1'")
pg_default weights '60,7 590,4 1514,1'
pg_default size 42
pg_without size "--weights gives the sizes"
pg_without burst "each packet has a size of its own"
pg_without clone "each packet has a size of its own"
pg_main "$@"
