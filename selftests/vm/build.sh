#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the module for a kernel of the cache, outside the tree, and print where it is.
#
#   build.sh SERIES [MAKE-ARGUMENT ...]
#
# With PGX_GCOV=1 it counts what it executes, where the kernel can, and has a folder of its own.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
top=$(realpath "$here/../..")
# shellcheck source=selftests/vm/deps.sh
source "$here/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}
series=${1:?series}
shift

root=$("$here/kernels.sh" path "$series")
suite=$("$here/kernels.sh" suite "$series")
release=$(basename "$root")
build=$cache/build/$release${PGX_GCOV:+-gcov}
log=$build.log
mkdir -p "$build"

# Sources only: what make left in the copy stays, so that a second build has little to do.
copy_sources() {
	pgx_need rsync
	rsync -a --delete --exclude '*.o' --exclude '*.ko' --exclude '*.mod' --exclude '*.mod.c' --exclude '.*' \
		--exclude '*.gcno' --exclude offsets --exclude skb-offsets --exclude Module.symvers --exclude modules.order \
		"$top"/{Kbuild,Makefile,pktgen_ext.c,pktgen_ext.h,compat,control,engine,measure,traffic} "$build/"
}

# For a kernel that this machine's compiler fits.
build_here() {
	pgx_need make gcc gcc-12 libelf1 pahole
	make -C "$build" KDIR="$root/usr/src/linux-headers-$release" "$@"
}

# Kernels that are built here have no BTF, which would take long; cases that look into an skb find its members by this.
tell_offsets() {
	mkdir -p "$build/offsets"
	rsync -a "$top"/selftests/debug/offsets/ "$build/offsets/"
	make -C "$root/usr/src/linux-headers-$release" M="$build/offsets" offsets.o
	nm "$build/offsets/offsets.o" | awk '$2 == "A" && sub("^skb_", "", $3) { print $3, $1 }' > "$build/skb-offsets"
}

# For one of another Debian release, in a root of that.
build_there() {
	"$here/suites.sh" run -b "$build" "$suite" make -C /mnt KDIR="/usr/src/linux-headers-$release" "$@"
}

copy_sources
where=here
[[ -z $suite ]] || where=there
if ! "build_$where" "$@" > "$log" 2>&1; then
	cat "$log" >&2
	exit 1
fi
! "$here/kernels.sh" is_built "$series" || tell_offsets >> "$log" 2>&1
# What a debugger wants is twenty times the rest, and guests read it over 9p each time.
strip -g "$build/pktgen_ext.ko"
echo "$build/pktgen_ext.ko"
