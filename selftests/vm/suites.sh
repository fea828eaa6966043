#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Bare roots of other Debian releases in a cache outside the tree, for kernels that this one's compiler does not match.
#
#   suites.sh path SUITE    print the root, after making it if need be
#   suites.sh run [-b FOLDER] SUITE COMMAND...   run a command in it, as root; FOLDER is /mnt there
#
# SUITE is a release such as trixie; its backports are in it and come first.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/vm/deps.sh
source "$here/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}

# The archive that this machine uses, such as a mirror.
archive() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | grep -v security | sort -u | head -n 1
}

create() {
	local suite=$1 root=$2 uri line option=()

	pgx_need mmdebstrap
	uri=$(archive)
	[[ -n $uri ]] || { pgx_say "this machine's apt has no archive of Debian"; exit 1; }
	while read -r line; do
		option+=("--aptopt=$line")
	done < <(apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-)')
	pgx_say "making a bare root of $suite"
	rm -rf --one-file-system "$root"
	mkdir -p "$(dirname "$root")"
	mmdebstrap --quiet --variant=minbase --include=make,gcc,libc6-dev,kmod,xz-utils,sparse "${option[@]}" \
		"--aptopt=APT::Default-Release \"$suite-backports\"" --skip=cleanup/apt/lists "$suite" "$root" \
		"deb $uri $suite main" "deb $uri $suite-backports main" > "$root.log" 2>&1 < /dev/null ||
		{ cat "$root.log" >&2; return 1; }
	touch "$root/.complete"
}

path() {
	local root=$cache/suites/$1

	if [[ ! -e $root/.complete ]]; then
		mkdir -p "$cache/suites"
		exec 8> "$cache/suites/.lock"
		flock 8
		[[ -e $root/.complete ]] || create "$1" "$root"
		exec 8>&-
	fi
	echo "$root"
}

# What is mounted for the command is gone with its mount namespace; objtool wants /proc.
run() {
	local root bound=''

	[[ $1 != -b ]] || { bound=$(realpath "$2"); shift 2; }
	root=$(path "$1")
	shift
	# shellcheck disable=SC2016
	pgx_root unshare -m sh -c 'root=$0 bound=$1 && shift && mount -t proc proc "$root/proc" &&
		{ [ -z "$bound" ] || mount --bind "$bound" "$root/mnt"; } && exec chroot "$root" /usr/bin/env -i HOME=/root \
		LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"' "$root" "$bound" "$@"
}

case ${1:-} in
path) path "${2:?suite}" ;;
run) run "${@:2}" ;;
*) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
