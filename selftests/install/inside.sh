#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tests that run.sh starts, as root of the throw-away root. Never to be run elsewhere: they install and purge.
set -u
[[ -e /.complete && -d /root/tree ]] || { echo "this runs inside the root that run.sh makes" >&2; exit 2; }
tree=/root/tree
tmp=$(mktemp -d /tmp/pgx.XXXXXX)
number=0 failures=0

ok() {
	echo "ok $((++number)) install: $1"
}

fail() {
	echo "not ok $((++number)) install: $1"
	((++failures))
	[[ -z ${2:-} ]] || echo "# ${2//$'\n'/$'\n'# }"
}

# is DESCRIPTION GOT WANT
is() {
	if [[ $2 == "$3" ]]; then ok "$1"; else fail "$1" "got:  $2"$'\n'"want: $3"; fi
}

# check DESCRIPTION COMMAND...
check() {
	local description=$1 output

	shift
	if output=$("$@" 2>&1); then ok "$description"; else fail "$description" "failed: $*"$'\n'"$output"; fi
}

# Every path of the system, but for what changes in any case and the tests' own.
paths() {
	find / -xdev \( -path /proc -o -path /tmp -o -path /root -o -path /var/lib/dpkg -o -path /var/lib/apt \
		-o -path /var/cache -o -path /var/log \) -prune -o -printf '%p\n' | sort
}

# Contents that the module has a part in: the index of modules.
indexed() {
	grep -ls pktgen_ext /lib/modules/*/modules.*
}

make_tree() {
	make -s -j "$(nproc)" -C "$tree" --no-print-directory "$@"
}

# files FOLDER: what is in it, in one line
files() {
	(cd "$1" && find . -mindepth 1 -not -type d | sort | xargs)
}

# modinfo of one module file or name: FIELD MODULE [OPTION...]
field() {
	modinfo -F "$1" "${@:3}" "$2" 2>&1
}

version=$(sed -n 's/^MODULE_VERSION("\(.*\)");/\1/p' "$tree/pktgen_ext.c")
mapfile -t kernels < <(cd /lib/modules && printf '%s\n' * | sort -V)

test_tree() {
	local series=()

	mapfile -t series < <(printf '%s\n' "${kernels[@]}" | cut -d . -f 1,2)
	is "headers of both kernels are here" "${series[*]}" "6.1 6.12"
	is "dkms.conf has the version of the module" \
		"$(cd / && bash -c ". $tree/dkms.conf; echo \$PACKAGE_NAME \$PACKAGE_VERSION")" "pktgen_ext $version"
	is "make help lists the targets" "$(make_tree help | cut -d ' ' -f 1 | sort | xargs)" \
		"$(sed -n 's/^\.PHONY: //p' "$tree/Makefile" | sort | xargs)"
}

test_manual() {
	local page=$tree/Documentation/pktgen_ext.4 name names text missing=()

	is "man has no warning" "$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 > /dev/null)" ""
	is "mandoc -T lint neither" "$(mandoc -T lint "$page" 2>&1)" ""
	# The rows of the table of parameters, the names of flags, the module's parameters, the words of the other files.
	mapfile -t names < <(sed -n '/ pgx_params\[\] = {/,/^}/s/^\t{ "\([a-z0-9_]*\)",.*/\1/p' "$tree/control/param.c"
		sed -n '/ pgx_flag_names\[\] = {/,/^}/p' "$tree/control/param.c" | grep -o '[A-Z][A-Z0-9_]*'
		sed -n 's/^module_param\(_named\)\?(\([a-z_]*\),.*/\2/p' "$tree/pktgen_ext.c"
		printf '%s\n' start stop reset add_device rem_device rem_device_all)
	text=$(man -l "$page" 2> /dev/null)
	for name in "${names[@]}"; do
		grep -qw -- "$name" <<< "$text" || missing+=("$name")
	done
	check "there are names to look for" test "${#names[@]}" -gt 80
	is "the page names each parameter, flag and command" "${missing[*]}" ""
}

# staged VARIABLE KERNEL: install to a folder and remove
staged() {
	local var=$1 kernel=$2 stage=$tmp/stage build=/lib/modules/$2/build out

	mkdir "$stage"
	out=$(make_tree install "$var=$stage" "KDIR=$build" 2>&1) || fail "make install $var= for $kernel" "$out"
	is "make install $var= for $kernel puts two files there" "$(files "$stage" | sed 's/\.ko\.xz/.ko/')" \
		"./lib/modules/$kernel/updates/pktgen_ext.ko ./usr/local/share/man/man4/pktgen_ext.4"
	is "its module is for that kernel" \
		"$(field vermagic "$(find "$stage" -name 'pktgen_ext.ko*')" | cut -d ' ' -f 1)" "$kernel"
	is "signing with a key that is not there was not tried" "$(grep -i ssl <<< "$out")" ""
	check "make uninstall $var= for $kernel" make_tree uninstall "$var=$stage" "KDIR=$build"
	is "it leaves nothing" "$(find "$stage" -mindepth 1)" ""
	check "make uninstall again is no error" make_tree uninstall "$var=$stage" "KDIR=$build"
	rmdir "$stage"
}

# As Documentation/installing.rst says.
# shellcheck disable=SC2317
sign_by_hand() {
	openssl req -new -x509 -nodes -days 1 -subj "/CN=by hand/" -newkey rsa:2048 \
		-keyout "$tmp/mok.key" -outform DER -out "$tmp/mok.der" &&
		"$1/scripts/sign-file" sha256 "$tmp/mok.key" "$tmp/mok.der" "$tree/pktgen_ext.ko"
}

# Into the system itself, beside other modules.
installed() {
	local kernel=$1 build=/lib/modules/$1/build

	make_tree all "KDIR=$build" > /dev/null 2>&1
	check "sign-file signs the module" sign_by_hand "$build"
	check "make install for $kernel" make_tree install "KDIR=$build"
	is "the signature is installed with it" "$(field signer pktgen_ext -k "$kernel")" "by hand"
	is "modinfo finds it by name" "$(field version pktgen_ext -k "$kernel")" "$version"
	is "modprobe would load it" "$(modprobe -n -v -S "$kernel" pktgen_ext 2>&1 | sed 's/ *$//; s/\.xz$//')" \
		"insmod /lib/modules/$kernel/updates/pktgen_ext.ko"
	is "man finds the page" "$(man -w pktgen_ext)" /usr/local/share/man/man4/pktgen_ext.4
	check "make uninstall for $kernel" make_tree uninstall "KDIR=$build"
	is "modprobe finds nothing any more" "$(indexed)" ""
}

test_make_install() {
	staged DESTDIR "${kernels[0]}"
	make_tree clean "KDIR=/lib/modules/${kernels[0]}/build"
	staged INSTALL_MOD_PATH "${kernels[1]}"
	installed "${kernels[1]}"
	make_tree clean "KDIR=/lib/modules/${kernels[1]}/build"
	is "the system is as it was before" "$(paths | diff "$tmp/before" -)" ""
}

test_deb_build() {
	local deb=$tree/build/pktgen-ext-dkms_${version}_all.deb tree_before

	tree_before=$(files "$tree")
	check "make deb" make_tree deb
	is "it left one file" "$(files "$tree" | tr ' ' '\n' | diff <(tr ' ' '\n' <<< "$tree_before") - | sed -n 's/^[<>] //p')" \
		"./build/pktgen-ext-dkms_${version}_all.deb"
	# shellcheck disable=SC2016
	is "name, version and architecture" "$(dpkg-deb -W --showformat='${Package} ${Version} ${Architecture}' "$deb")" \
		"pktgen-ext-dkms $version all"
	is "it depends on dkms" "$(dpkg-deb -f "$deb" Depends | sed 's/ *(.*//')" dkms
	is "what it holds stands in four folders" "$(dpkg-deb -c "$deb" | awk '$1 !~ /^d/ { print $6 }' |
		sed -E 's#^\./usr/(src/[^/]*|share/[^/]*(/man4)?)/.*#\1#' | sort -u | xargs)" \
		"share/doc share/man/man4 share/pktgen_ext src/pktgen_ext-$version"
	cp "$deb" "$tmp/first.deb"
	sleep 1
	make_tree deb > /dev/null 2>&1
	check "the same tree gives the same package" cmp "$tmp/first.deb" "$deb"
}

# dkms_built KERNEL: what DKMS made of the sources
dkms_built() {
	local kernel=$1 file

	is "DKMS has it installed for $kernel" \
		"$(dkms status -m pktgen_ext -v "$version" -k "$kernel" 2> /dev/null | sed 's/.*: //')" installed
	file=$(field filename pktgen_ext -k "$kernel")
	is "as a module of updates/dkms" "${file%.xz}" "/lib/modules/$kernel/updates/dkms/pktgen_ext.ko"
	is "vermagic is that of $kernel" "$(field vermagic pktgen_ext -k "$kernel" | cut -d ' ' -f 1)" "$kernel"
	is "version" "$(field version pktgen_ext -k "$kernel")" "$version"
	is "signed with DKMS's key" "$(field signer pktgen_ext -k "$kernel")" "DKMS module signing key"
}

test_package() {
	local kernel out

	is "DKMS is not here before" "$(command -v dkms)" ""
	out=$(apt-get -qq install -y --no-install-recommends "$tree/build/pktgen-ext-dkms_${version}_all.deb" 2>&1) ||
		fail "apt installs the package, and DKMS with it" "$out"
	is "the package is installed" "$(dpkg-query -W -f '${db:Status-Status}' pktgen-ext-dkms)" installed
	for kernel in "${kernels[@]}"; do
		dkms_built "$kernel"
	done
	is "man finds the page" "$(man -w pktgen_ext)" /usr/share/man/man4/pktgen_ext.4.gz
	is "man shows it" "$(man pktgen_ext 2>&1 | sed -n '1s/ .*//p')" "PKTGEN_EXT(4)"
	check "a sample tells how it is used" /usr/share/pktgen_ext/samples/simple.sh --help
	check "the link to samples leads there" test -x /usr/share/doc/pktgen-ext-dkms/examples/simple.sh
	is "make dkms leaves the package's sources alone" \
		"$(make_tree dkms "KDIR=/lib/modules/${kernels[1]}/build" 2>&1 | grep -c 'belongs to the package')" 1
	check "purge" apt-get -qq purge -y pktgen-ext-dkms
	is "it leaves no file" "$(paths | grep -i pktgen | grep -vxFf "$tmp/before")" ""
	is "nor the module in an index" "$(indexed)" ""
}

# DKMS stays from the package.
test_make_dkms() {
	local kernel=${kernels[1]}

	check "make dkms" make_tree dkms "KDIR=/lib/modules/$kernel/build"
	dkms_built "$kernel"
	check "make dkms-remove" make_tree dkms-remove
	is "dkms add takes the tree itself" "$(cd "$tree" && dkms add . > /dev/null 2>&1; dkms status)" \
		"pktgen_ext/$version: added"
	check "make dkms-remove" make_tree dkms-remove
	is "it leaves no file" "$(paths | grep -i pktgen | grep -vxFf "$tmp/before")" ""
	is "nor the module in an index" "$(indexed)" ""
}

test_all_gone() {
	check "what came with the package can go" apt-get -qq autoremove --purge -y
	# The key is DKMS's, which keeps it for the next module.
	is "the system is as it was before" "$(paths | grep -vx '/var/lib/dkms\(/mok\..*\)\?' | diff "$tmp/before" -)" ""
}

echo "KTAP version 1"
paths > "$tmp/before"
test_tree
test_manual
test_make_install
test_deb_build
test_package
test_make_dkms
test_all_gone
echo "1..$number"
exit $((failures > 0))
