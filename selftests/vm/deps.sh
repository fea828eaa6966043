#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: what is said, Debian packages that are missing, whether a kernel is whole.

# A user's path lacks what root's has.
PATH=$PATH:/usr/sbin:/sbin

pgx_say() {
	echo "# $*" >&2
}

# Run as root, by sudo if need be.
pgx_root() {
	if ((EUID == 0)); then
		"$@"
	elif command -v sudo > /dev/null; then
		sudo "$@"
	else
		pgx_say "this needs root, and there is no sudo: $*"
		return 1
	fi
}

# Lists of packages are fetched once a run, for a bare system has none.
pgx_apt_update() {
	[[ -n ${PGX_APT_UPDATED:-} ]] && return
	pgx_root apt-get update -qq
	export PGX_APT_UPDATED=1
}

# pgx_need PACKAGE...: have the packages installed
pgx_need() {
	local package missing=()

	for package; do
		[[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null) == installed ]] ||
			missing+=("$package")
	done
	((${#missing[@]})) || return 0
	pgx_say "installing ${missing[*]}"
	pgx_apt_update && pgx_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		--no-install-recommends "${missing[@]}" > /dev/null < /dev/null
}

# pgx_is_whole ROOT RELEASE [PLACE]: whether the kernel was laid out in ROOT to its end, and its headers in PLACE, which
# is the same one if not given
pgx_is_whole() {
	[[ -e $1/.complete && -e ${3:-$1}/usr/src/linux-headers-$2 ]]
}
