#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Debian kernels in a cache outside the tree. They are unpacked, never installed.
#
#   kernels.sh fetch SERIES    download and unpack, unless that is done; prints the release
#   kernels.sh path SERIES     print the folder that the packages were unpacked to
#   kernels.sh release SERIES  print the release, such as 6.1.0-1-amd64
#   kernels.sh suite SERIES    print the Debian release that it needs a root of, nothing for this machine's own
#   kernels.sh is_built SERIES whether it is one that looks for faults and is built here
#   kernels.sh list            print the series that are known
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/vm/deps.sh
source "$here/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}

# series; the meta packages that name its newest image and headers; the Debian release that has it, "-" for this one
series_table() {
	cat <<- 'EOF'
	6.1	linux-image-amd64	linux-headers-amd64	-
	6.12	linux-image-6.12-amd64	linux-headers-6.12-amd64	-
	6.12-rt	linux-image-6.12-rt-amd64	linux-headers-6.12-rt-amd64	-
	6.12-cloud	linux-image-6.12-cloud-amd64	linux-headers-6.12-cloud-amd64	-
	7.3	linux-image-amd64	linux-headers-amd64	trixie
	7.3-rt	linux-image-rt-amd64	linux-headers-rt-amd64	trixie
	EOF
}

# Those that debug-kernel.sh builds.
built_series() {
	printf '%s\n' debug kcsan
}

series_row() {
	series_table | awk -v s="$1" '$1 == s { print $2, $3, $4; found = 1 } END { exit !found }' ||
		{ pgx_say "unknown kernel series '$1', allowed is: $( (series_table | cut -f 1; built_series) | xargs)"; exit 2; }
}

# in_suite SUITE COMMAND...
in_suite() {
	if [[ $1 == - ]]; then
		"${@:2}"
	else
		"$here/suites.sh" run "$@"
	fi
}

# dependency SUITE PACKAGE PATTERN: the package of a pattern that another one depends on
dependency() {
	in_suite "$1" apt-cache depends "$2" |
		awk -v p="^$3" '$1 == "Depends:" && $2 ~ p && !found { print $2; found = 1 }'
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

# unpack DEST PACKAGE...
unpack() {
	local dest=$1 deb

	shift
	pgx_say "fetching $*"
	(cd "$dest" && apt-get -o APT::Sandbox::User=root download -qq "$@" > /dev/null)
	for deb in "$dest"/*.deb; do
		dpkg -x "$deb" "$dest"
		rm "$deb"
	done
}

# Since 7.x the image is a package of packages: kernel, modules, what is built in.
image_packages() {
	echo "$2"
	in_suite "$1" apt-cache depends "$2" | awk '$1 == "Depends:" && $2 ~ /^linux-(base|binary|modules)-/ { print $2 }'
}

# The image from another Debian release; its headers, with the compiler that they want, stay in the root of that release.
unpack_foreign() {
	local dest=$1 suite=$2 image headers=$4 root deb

	root=$("$here/suites.sh" path "$suite")
	image=$(image_packages "$suite" "$3" | xargs)
	pgx_say "fetching $image $headers of $suite"
	# a chroot has no pseudo terminals
	"$here/suites.sh" run "$suite" sh -c "apt-get update -qq &&
		apt-get -o Dpkg::Use-Pty=0 install -y -qq --no-install-recommends $headers > /dev/null &&
		cd /tmp && rm -f *.deb && apt-get -o APT::Sandbox::User=root download -qq $image > /dev/null"
	for deb in "$root"/tmp/*.deb; do
		dpkg -x "$deb" "$dest"
		rm "$deb"
	done
}

fetch() {
	local image headers suite release root temp packages

	pgx_need kmod xz-utils
	read -r image headers suite <<< "$(series_row "$1")"
	[[ $suite != - ]] || apt-cache show "$image" > /dev/null 2>&1 || pgx_apt_update
	image=$(dependency "$suite" "$image" linux-image-)
	headers=$(dependency "$suite" "$headers" linux-headers-)
	[[ -n $image && -n $headers ]] || { pgx_say "no kernel packages for series $1"; exit 1; }
	release=${image#linux-image-}
	root=$cache/kernels/$release
	if ! is_whole "$1" "$release"; then
		temp=$(mktemp -d "$cache/kernels/.fetch.XXXXXX")
		if [[ $suite == - ]]; then
			mapfile -t packages < <(headers_packages "$headers")
			unpack "$temp" "$image" "${packages[@]}"
		else
			unpack_foreign "$temp" "$suite" "$image" "$headers"
		fi
		settle "$temp" "$root" "$release"
	fi
	ln -sfn "$release" "$cache/kernels/series-$1"
	echo "$release"
}

# What was unpacked gets its place.
settle() {
	join_lib "$1"
	# since 7.x it comes among the modules
	if [[ ! -e $1/boot/vmlinuz-$3 && -e $1/lib/modules/$3/vmlinuz ]]; then
		mkdir -p "$1/boot"
		ln -s "../lib/modules/$3/vmlinuz" "$1/boot/vmlinuz-$3"
	fi
	[[ -e $1/boot/vmlinuz-$3 ]] || { pgx_say "the packages of $3 have no image"; exit 1; }
	rm -rf "$2"
	chmod 755 "$1"
	mv "$1" "$2"
	[[ ! -e $2/usr/src/linux-headers-$3 ]] || relocate_headers "$2" "$3"
	depmod -b "$2" "$3"
	touch "$2/.complete"
}

locked_fetch() {
	mkdir -p "$cache/kernels"
	exec 9> "$cache/kernels/.lock"
	flock 9
	fetch "$1"
}

get() {
	if built_series | grep -qx "$1"; then
		"$here/debug-kernel.sh" "$1"
	else
		locked_fetch "$1"
	fi
}

path() {
	is_whole "$1" "$(readlink "$cache/kernels/series-$1")" || get "$1" > /dev/null
	realpath "$cache/kernels/series-$1"
}

# is_whole SERIES RELEASE: the kernel is there and its headers are, which may be in the root of another Debian release
is_whole() {
	local suite

	suite=$(suite "$1")
	pgx_is_whole "$cache/kernels/$2" "$2" "${suite:+$cache/suites/$suite}"
}

suite() {
	local suite=-

	built_series | grep -qx "$1" || suite=$(series_row "$1" | cut -d ' ' -f 3)
	[[ $suite == - ]] || echo "$suite"
}

case ${1:-} in
fetch) get "${2:?series}" ;;
path) path "${2:?series}" ;;
release) basename "$(path "${2:?series}")" ;;
suite) suite "${2:?series}" ;;
is_built) built_series | grep -qx "${2:?series}" ;;
list) series_table | cut -f 1; built_series ;;
*) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
