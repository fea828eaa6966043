#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's own samples for its pktgen, in a cache outside the tree. They come with Debian's package of the
# kernel's source, of which nothing else is unpacked.
#
#   ksources.sh SERIES    print the folder of the samples, such as .../samples/pktgen; they are fetched first, if need be
#
# 6.12-rt and the like have the source of 6.12, and so have the kernels that are built here.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/vm/deps.sh
source "$here/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}
wanted=samples/pktgen

# download PACKAGE FOLDER SUITE
download() {
	local get=(apt-get -o APT::Sandbox::User=root download -qq "$1") root

	if [[ -z $3 ]]; then
		apt-cache show "$1" > /dev/null 2>&1 || pgx_apt_update
		(cd "$2" && "${get[@]}" > /dev/null)
	else
		root=$("$here/suites.sh" path "$3")
		"$here/suites.sh" run "$3" sh -c "rm -rf /tmp/source && mkdir /tmp/source && cd /tmp/source && ${get[*]} > /dev/null"
		mv "$root"/tmp/source/*.deb "$2"
	fi
}

# unpack PACKAGE FOLDER SUITE: the archive in the package is long, and is never written to the disk
unpack() {
	local deb

	download "$@"
	deb=$(echo "$2"/*.deb)
	dpkg --fsys-tarfile "$deb" | tar -xO "./usr/src/$1.tar.xz" |
		tar -xJ -C "$2" --no-same-owner --strip-components 1 "$1/$wanted"
	rm "$deb"
}

fetch() {
	local package=linux-source-$1 dest=$2 temp suite

	pgx_need xz-utils
	suite=$("$here/kernels.sh" suite "$1")
	temp=$(mktemp -d "$dest.XXXXXX")
	# shellcheck disable=SC2064 # the name is that of now
	trap "rm -rf '$temp'" EXIT
	pgx_say "fetching $package, for its $wanted"
	unpack "$package" "$temp" "$suite"
	chmod 755 "$temp"
	rm -rf "$dest"
	mv "$temp" "$dest"
}

version=${1:-}
version=${version%%-*}
[[ -z $version ]] || ! "$here/kernels.sh" is_built "$version" || version=6.12
[[ $version =~ ^[0-9.]+$ ]] || { sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$cache/ksources"
exec 9> "$cache/ksources/.lock"
flock 9
dest=$cache/ksources/$version
[[ -e $dest/$wanted ]] || fetch "$version" "$dest"
echo "$dest/$wanted"
