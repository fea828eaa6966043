#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Check the direction of includes: to the same folder or to a lower layer. Prints each that points up, exit 1 if any.
set -uo pipefail
cd "$(dirname "$(realpath "$0")")/.." || exit 2

# entry 5, control 4, engine 3, traffic and measure 2, what all share 1
layer() {
	case $1 in
	pktgen_ext.c) echo 5 ;;
	control/*) echo 4 ;;
	engine/*) echo 3 ;;
	traffic/* | measure/*) echo 2 ;;
	*) echo 1 ;;
	esac
}

# Neighbours in one layer do not know each other.
allowed() {
	(($(layer "$2") < $(layer "$1"))) || [[ ${1%/*} == "${2%/*}" ]]
}

status=0
while IFS=: read -r file include; do
	include=${include#*\"}
	include=${include%\"*}
	if [[ ! -f $include ]]; then
		echo "$file: \"$include\" is not named from the top of the tree"
		status=1
	elif [[ $file != "$include" ]] && ! allowed "$file" "$include"; then
		echo "$file includes $include, which is not below it"
		status=1
	fi
done < <(grep -E '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' pktgen_ext.[ch] {control,engine,traffic,measure,compat}/*.[ch] /dev/null)
exit $status
