#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the Debian package. It holds sources, which DKMS builds on the machine of the user: it fits each architecture.
#
#   deb.sh FOLDER    where the package goes
set -euo pipefail
top=$(dirname "$(dirname "$(realpath "$0")")")
# shellcheck source=dkms.conf
source "$top/dkms.conf"
# shellcheck source=selftests/vm/deps.sh
source "$top/selftests/vm/deps.sh"

# The time that the package bears, so that the same tree always gives the same package.
changed() {
	git -C "$top" log -1 --format=%ct 2> /dev/null || stat -c %Y "$top/pktgen_ext.c"
}

changelog() {
	local maintainer

	maintainer=$(sed -n 's/^Maintainer: //p' "$top/packaging/debian/control")
	printf 'pktgen-ext (%s) unstable; urgency=medium\n\n' "$PACKAGE_VERSION"
	printf '  * Version %s; see the log of the repository.\n\n' "$PACKAGE_VERSION"
	printf ' -- %s  %s\n' "$maintainer" "$(date -uR -d "@$SOURCE_DATE_EPOCH")"
}

# What runs without the tree.
samples() {
	mkdir -p "$tree/samples"
	cp -r "$top"/samples/. "$tree/samples/"
	rm "$tree"/samples/quickstart*
}

(($# == 1)) || { sed -n '3,5s/^# \{0,1\}//p' "$0"; exit 2; }
pgx_need dpkg-dev debhelper dh-dkms
mkdir -p "$1"
dest=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/pktgen-ext-$PACKAGE_VERSION
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(changed)}

"$top/packaging/sources.sh" "$tree"
cp -r "$top"/{README.md,Documentation} "$tree/"
samples
cp -r "$top/packaging/debian" "$tree/debian"
changelog > "$tree/debian/changelog"
# -d: what is needed was seen to above, and no compiler is
(cd "$tree" && dpkg-buildpackage -b -us -uc -d) > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
cp "$work"/*.deb "$dest/"
ls "$dest/pktgen-ext-dkms_${PACKAGE_VERSION}_all.deb"
