#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Test what installs the module: make install, DKMS, the Debian package. All of it happens in a bare Debian root, on a
# throw-away layer above it; this machine gets nothing but the tools to make that root.
#
#   run.sh        needs root, or sudo; takes a few minutes
#
# KTAP on standard output; the last line counts. The root is kept for a week, in ${PGX_CACHE:-~/.cache/pktgen_ext}/roots.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
top=$(dirname "$(dirname "$here")")
# shellcheck source=selftests/vm/deps.sh
source "$here/../vm/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}
passed=0 failed=0 skipped=0

(($# == 0)) || { sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2; }
if ((EUID)); then
	pgx_root env PGX_CACHE="$cache" "$0"
	exit
fi

# What the tests need and no user of the package is asked for. DKMS is not among it: the package has to bring it.
tools=(make linux-headers-amd64 linux-headers-6.12-amd64 debhelper dh-dkms man-db mandoc openssl)

# The places of Debian's archive that this machine uses, such as a mirror.
sources() {
	# shellcheck disable=SC2016
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
		sort -u
}

# Make the root, unless one of this week is there; prints where it is.
base() {
	local suite name root line mirrors=() option=()

	suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	name=$suite-$(date +%G-%V)-$(sha256sum <<< "${tools[*]}" | cut -c 1-8)
	root=$cache/roots/$name
	echo "$root"
	[[ ! -e $root/.complete ]] || return 0
	pgx_need mmdebstrap
	pgx_say "making a bare Debian root"
	rm -rf --one-file-system "$cache/roots"
	mkdir -p "$cache/roots"
	while read -r line; do
		mirrors+=("$line")
	done < <(sources)
	while read -r line; do
		option+=("--aptopt=$line")
	done < <(apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-)')
	# What the package depends on is fetched now, so that a test needs no network.
	# shellcheck disable=SC2016
	mmdebstrap --quiet --variant=minbase --include="${tools[*]}" "${option[@]}" --skip=cleanup/apt/lists,cleanup/apt/cache \
		--customize-hook='chroot "$1" apt-get clean' \
		--customize-hook='chroot "$1" apt-get -qq install -y --no-install-recommends --download-only dkms' \
		--customize-hook='for k in "$1"/lib/modules/*; do chroot "$1" depmod "${k##*/}"; done' \
		"$suite" "$root" "${mirrors[@]}" > "$cache/roots/log" 2>&1 < /dev/null ||
		{ cat "$cache/roots/log" >&2; return 1; }
	touch "$root/.complete"
}

unmount() {
	local m

	for m in root/proc root .; do
		! mountpoint -q "$work/$m" || umount "$work/$m" || umount -l "$work/$m"
	done
	rmdir "$work"
}

# A layer above the root, in memory.
layer() {
	mount -t tmpfs -o mode=755 pgx-install "$work" &&
		mkdir "$work"/{upper,work,root} &&
		mount -t overlay -o "lowerdir=$1,upperdir=$work/upper,workdir=$work/work" pgx-install "$work/root" &&
		mount -t proc proc "$work/root/proc"
}

# The tree as it stands, without what was built in it.
copy_tree() {
	mkdir "$work/root/root/tree"
	tar -C "$top" -c --exclude ./.git --exclude ./build --exclude '*.o' --exclude '*.ko' --exclude '*.mod' \
		--exclude '*.mod.c' --exclude '.*.cmd' --exclude Module.symvers --exclude modules.order . |
		tar -C "$work/root/root/tree" -x --no-same-owner
}

# Pass output on and count its top level results. A plan that was not fulfilled is a failure.
count() {
	local line plan='' seen=0

	while IFS= read -r line; do
		echo "$line"
		case $line in
		'ok '*'# SKIP'*) ((skipped++, seen++)) ;;
		'ok '*) ((passed++, seen++)) ;;
		'not ok '*) ((failed++, seen++)) ;;
		1..*) plan=${line#1..} ;;
		esac
	done
	[[ $plan == "$seen" ]] && return
	echo "not ok - planned ${plan:-nothing}, came to $seen"
	((failed++))
}

work=$(mktemp -d)
trap unmount EXIT
if ! root=$(base) || ! layer "$root" || ! copy_tree; then
	echo "not ok - there is no bare root to test in"
	((failed++))
else
	count < <(chroot "$work/root" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		bash /root/tree/selftests/install/inside.sh 2>&1 < /dev/null)
fi
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0 && passed > 0))
