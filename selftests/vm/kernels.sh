#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Debian kernels in a cache outside the tree. They are unpacked, never installed.
#
#   kernels.sh fetch SERIES    download and unpack, unless that is done; prints the release
#   kernels.sh path SERIES     print the folder that the packages were unpacked to
#   kernels.sh release SERIES  print the release, such as 6.1.0-1-amd64
#   kernels.sh list            print the series that are known
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/vm/deps.sh
source "$here/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}

# series, and the meta packages that name its newest image and headers
series_table() {
	cat <<- 'EOF'
	6.1	linux-image-amd64	linux-headers-amd64
	6.12	linux-image-6.12-amd64	linux-headers-6.12-amd64
	EOF
}

series_row() {
	series_table | awk -v s="$1" '$1 == s { print $2, $3; found = 1 } END { exit !found }' ||
		{ pgx_say "unknown kernel series '$1', allowed is: $(series_table | cut -f 1 | xargs)"; exit 2; }
}

# The package of a pattern that another one depends on.
dependency() {
	apt-cache depends "$1" | awk -v p="^$2" '$1 == "Depends:" && $2 ~ p { print $2; exit }'
}

# All packages that make up the headers, compilers aside.
headers_packages() {
	local headers=$1

	echo "$headers"
	apt-cache depends "$headers" | awk '$1 == "Depends:" && $2 ~ /^linux-(headers-.*-common|kbuild-)/ { print $2 }'
}

# Unpacked headers name their place as if they were installed.
relocate_headers() {
	local root=$1 release=$2

	sed -i "s|/usr/src/|$root/usr/src/|" "$root/usr/src/linux-headers-$release/Makefile"
}

# Debian 13 and later unpack modules to /usr/lib; there is one place for readers here.
join_lib() {
	[[ -d $1/lib/modules ]] && return
	ln -s usr/lib "$1/lib"
}

unpack() {
	local release=$1 dest=$2 headers=$3 deb
	local packages=("linux-image-$release")

	mapfile -t -O 1 packages < <(headers_packages "$headers")
	pgx_say "fetching ${packages[*]}"
	(cd "$dest" && apt-get -o APT::Sandbox::User=root download -qq "${packages[@]}" > /dev/null)
	for deb in "$dest"/*.deb; do
		dpkg -x "$deb" "$dest"
		rm "$deb"
	done
	join_lib "$dest"
}

fetch() {
	local image headers release root temp

	pgx_need kmod xz-utils
	read -r image headers <<< "$(series_row "$1")"
	apt-cache show "$image" > /dev/null 2>&1 || pgx_apt_update
	image=$(dependency "$image" linux-image-)
	headers=$(dependency "$headers" linux-headers-)
	[[ -n $image && -n $headers ]] || { pgx_say "no kernel packages for series $1"; exit 1; }
	release=${image#linux-image-}
	root=$cache/kernels/$release
	if [[ ! -e $root/.complete ]]; then
		temp=$(mktemp -d "$cache/kernels/.fetch.XXXXXX")
		unpack "$release" "$temp" "$headers"
		relocate_headers_after_move "$temp" "$root" "$release"
		depmod -b "$root" "$release"
		touch "$root/.complete"
	fi
	ln -sfn "$release" "$cache/kernels/series-$1"
	echo "$release"
}

relocate_headers_after_move() {
	rm -rf "$2"
	chmod 755 "$1"
	mv "$1" "$2"
	relocate_headers "$2" "$3"
}

locked_fetch() {
	mkdir -p "$cache/kernels"
	exec 9> "$cache/kernels/.lock"
	flock 9
	fetch "$1"
}

path() {
	[[ -e $cache/kernels/series-$1/.complete ]] || locked_fetch "$1" > /dev/null
	realpath "$cache/kernels/series-$1"
}

case ${1:-} in
fetch) locked_fetch "${2:?series}" ;;
path) path "${2:?series}" ;;
release) basename "$(path "${2:?series}")" ;;
list) series_table | cut -f 1 ;;
*) sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
