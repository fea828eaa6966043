#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Hand this tree's sources to DKMS, or take them back.
#
#   dkms.sh add RELEASE    copy them to /usr/src, then build and install for that kernel
#   dkms.sh remove         remove the module from all kernels, and the copy
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=dkms.conf
source "$here/../dkms.conf"

tree=/usr/src/$PACKAGE_NAME-$PACKAGE_VERSION
this=(-m "$PACKAGE_NAME" -v "$PACKAGE_VERSION")

complain() {
	echo "dkms.sh: $*" >&2
	exit 1
}

remove() {
	if [[ -n $(dkms status "${this[@]}") ]]; then
		dkms remove "${this[@]}" --all
	fi
	rm -rf "$tree"
}

command -v dkms > /dev/null || complain "there is no dkms, try: apt-get install dkms"
((EUID == 0)) || complain "this needs root"
if owner=$(dpkg-query -S "$tree/dkms.conf" 2> /dev/null); then
	complain "$tree belongs to the package ${owner%%:*}"
fi

case ${1:-} in
add)
	remove
	"$here/sources.sh" "$tree"
	dkms add "${this[@]}"
	dkms install "${this[@]}" -k "${2:?release}"
	;;
remove) remove ;;
*) sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
