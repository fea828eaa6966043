#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A kernel that looks for faults, built once from Debian's source, in the cache outside the tree. It looks there like
# one that was fetched.
#
#   debug-kernel.sh debug    KASAN, lockdep, kmemleak and the like; see selftests/debug/
#   debug-kernel.sh kcsan    KCSAN
#
# Prints the release. Takes a quarter of an hour on two CPUs.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/vm/deps.sh
source "$here/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}
base=6.12
configs=$here/../debug

# The archive in the package is long, and is never written to the disk.
fetch_source() {
	local package=linux-source-$base dest=$cache/sources temp

	[[ ! -e $dest/$package ]] || return 0
	mkdir -p "$dest"
	apt-cache show "$package" > /dev/null 2>&1 || pgx_apt_update
	temp=$(mktemp -d "$dest/.fetch.XXXXXX")
	pgx_say "fetching $package"
	(cd "$temp" && apt-get -o APT::Sandbox::User=root download -qq "$package" > /dev/null)
	dpkg --fsys-tarfile "$temp"/*.deb | tar -xO "./usr/src/$package.tar.xz" | tar -xJ -C "$temp" --no-same-owner
	mv "$temp/$package" "$dest/"
	rm -rf "$temp"
}

# Options of a fragment that did not get into the config: a dependency is missing, or the name is old.
missing_options() {
	local line

	while read -r line; do
		# what is asked for as a module may have to be built in
		grep -qxF -e "$line" -e "${line/%=m/=y}" "$1/.config" || echo "$line"
	done < <(grep -h '^CONFIG_' "${@:2}")
}

# configure BUILD FRAGMENT...
configure() {
	local build=$1 missing

	shift
	make -s --no-print-directory -C "$cache/sources/linux-source-$base" O="$build" x86_64_defconfig
	(cd "$build" && "$cache/sources/linux-source-$base/scripts/kconfig/merge_config.sh" -m -O . .config "$@" > /dev/null)
	make -s --no-print-directory -C "$build" olddefconfig
	missing=$(missing_options "$build" "$@")
	[[ -z $missing ]] || { pgx_say "these options are not to be had: ${missing//$'\n'/, }"; exit 1; }
}

# Where kernels.sh, vm.sh and build.sh look for things.
lay_out() {
	local build=$1 release=$2 root=$cache/kernels/$2

	rm -rf "$root"
	mkdir -p "$root/boot" "$root/usr/src"
	cp "$build/arch/x86/boot/bzImage" "$root/boot/vmlinuz-$release"
	make -s --no-print-directory -C "$build" INSTALL_MOD_PATH="$root" modules_install > /dev/null
	# what modules are built with, as Debian's packages of headers have it
	make -s --no-print-directory -C "$build" run-command \
		KBUILD_RUN_COMMAND="\$(srctree)/scripts/package/install-extmod-build $root/usr/src/linux-headers-$release"
	depmod -b "$root" "$release"
	touch "$root/.complete"
}

build() {
	local name=$1 build=$cache/build/kernel-$1 release

	pgx_need gcc make bc bison flex libelf-dev libssl-dev xz-utils kmod cpio rsync perl python3-minimal
	fetch_source
	mkdir -p "$build"
	pgx_say "building the $name kernel, which takes a while; log: $build.log"
	configure "$build" "$configs/base.config" "$configs/$name.config"
	make -j"$(nproc)" -C "$build" bzImage modules > "$build.log" 2>&1 || { tail -n 30 "$build.log" >&2; exit 1; }
	release=$(make -s --no-print-directory -C "$build" kernelrelease)
	lay_out "$build" "$release"
	rm -rf "$build"
	ln -sfn "$release" "$cache/kernels/series-$name"
	echo "$release"
}

[[ -e $configs/${1:-}.config && ${1:-} != base ]] || { sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$cache/kernels" "$cache/build"
exec 9> "$cache/kernels/.lock-$1"
flock 9
root=$(realpath -m "$cache/kernels/series-$1")
release=${root##*/}
if pgx_is_whole "$root" "$release"; then
	echo "$release"
else
	build "$1"
fi
