#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build pktgen_ext and see it run beside the in-tree pktgen, from nothing but this repository.
#
#   samples/quickstart.sh [-k SERIES] [-b BURST] [-r ROUNDS] [--host] [--help]
#
#   -k SERIES   kernel to boot in the virtual machine: 6.12 (default) or 6.1
#   -b BURST    packets per call of the driver or the stack, default 1
#   -r ROUNDS   runs of each row, of which the median is shown, default 3
#   --host      load the module into the running kernel instead, and unload it at the end
#
# Needs a Debian system, as root or with sudo: what is missing is installed. The virtual machine's kernel is fetched
# as Debian's package and unpacked into ~/.cache/pktgen_ext, never installed. Both generators send 60-byte packets
# through the receive path (netif_receive) and to the driver (start_xmit) of a dummy device with two queues, with one
# thread (dummy0@0) and with two (dummy0@0, dummy0@1).
set -uo pipefail
here=$(dirname "$(realpath "$0")")
top=$(realpath "$here/..")
# shellcheck source=selftests/bench/phase.sh
source "$top/selftests/bench/phase.sh"
# shellcheck source=selftests/vm/deps.sh
source "$top/selftests/vm/deps.sh"

# Where Debian keeps ip, modprobe and depmod, a user does not look.
PATH=$PATH:/usr/sbin:/sbin

# The harness would install the same bit by bit, each time with a look at the lists of packages.
vm_packages=(qemu-system-x86 busybox-static cpio kmod xz-utils iproute2 make gcc gcc-12 libelf1 pahole rsync)

usage() {
	sed -n '3,15s/^# \{0,1\}//p' "$0"
	exit "$1"
}

fail() {
	echo "quickstart.sh: $*" >&2
	exit 1
}

# --- in the virtual machine

any_missing() {
	local package

	for package; do
		[[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null) == installed ]] || return 0
	done
	return 1
}

# A password is asked for before a line of progress is drawn over the question.
become_root() {
	((EUID)) || return 0
	command -v sudo > /dev/null || fail "this needs root for $1, and there is no sudo; run it as root"
	sudo -v -p "quickstart.sh needs root for $1; password of %u: " || fail "sudo refused"
}

install_packages() {
	any_missing "${vm_packages[@]}" || return 0
	command -v apt-get > /dev/null || fail "this is no Debian system; on another one only --host works"
	become_root "the installation of packages"
	phase "$work/log" "Installing what is missing" pgx_need "${vm_packages[@]}" || exit 1
}

# Reached through phase, as are the others with this mark.
# shellcheck disable=SC2317
build_vm() {
	"$top/selftests/vm/build.sh" "$series" > "$work/module"
}

# shellcheck disable=SC2317
boot_and_run() {
	echo "# booting"
	"$top/selftests/vm/vm.sh" -k "$series" -t 900 -- \
		"$here/quickstart-guest.sh" -m "$(tail -n 1 "$work/module")" -r "$rounds" -b "$burst"
}

run_in_vm() {
	echo "The module is built and run beside the in-tree pktgen on Debian's kernel $series, in a virtual machine."
	install_packages
	phase "$work/log" "Fetching kernel $series" "$top/selftests/vm/kernels.sh" path "$series" || exit 1
	phase "$work/log" "Building the module" build_vm || exit 1
	phase "$work/runs" "Running both in QEMU" boot_and_run || exit 1
}

# --- on the host

check_host() {
	local release command missing=()

	release=$(uname -r)
	[[ -e /lib/modules/$release/build/Makefile ]] ||
		fail "there are no headers of the running kernel, so no module can be built for it." \
			"On Debian or Ubuntu: apt-get install linux-headers-$release." \
			"In a container, or without such a package, leave --host away: a virtual machine is used then."
	for command in make gcc ip modprobe insmod unshare; do
		command -v "$command" > /dev/null || missing+=("$command")
	done
	((${#missing[@]} == 0)) || fail "please install: ${missing[*]} (Debian: make gcc iproute2 kmod util-linux)"
}

# shellcheck disable=SC2317
build_host() {
	make -C "$top"
}

# shellcheck disable=SC2317
run_as_root() {
	pgx_root env PATH="$PATH" "$@"
}

run_on_host() {
	check_host
	echo "The module is built and run beside the in-tree pktgen on the running kernel, $(uname -r)."
	phase "$work/log" "Building the module" build_host || exit 1
	become_root "the loading of modules"
	phase "$work/runs" "Running both" run_as_root \
		"$here/quickstart-guest.sh" -m "$top/pktgen_ext.ko" -r "$rounds" -b "$burst" || exit 1
}

# --- what came out

# Of each row's runs the one with the median cost, and its Result lines.
median_runs() {
	tr -d '\r' < "$work/runs" | awk -F '\t' '
	$1 == "run" && NF == 9 {
		row = $2 "\t" $3 "\t" $4
		if (!(row in runs)) order[++rows] = row
		line[row, ++runs[row]] = $0
		cost[row, runs[row]] = $9
	}
	$1 == "result" {
		text[$2 "\t" $3 "\t" $4, $5] = text[$2 "\t" $3 "\t" $4, $5] $0 "\n"
	}
	function below(row, n,    i, count) {
		for (i = 1; i <= runs[row]; i++)
			count += cost[row, i] < cost[row, n] || (cost[row, i] == cost[row, n] && i < n)
		return count + 0
	}
	END {
		for (i = 1; i <= rows; i++)
			for (n = 1; n <= runs[order[i]]; n++)
				if (below(order[i], n) == int((runs[order[i]] - 1) / 2))
					printf "%s\n%s", line[order[i], n], text[order[i], n]
		exit rows == 0
	}'
}

table() {
	awk -F '\t' '
	BEGIN {
		format = "%-11s %-14s %7s %10s %9s %10s %10s %7s\n"
		printf format, "generator", "door", "threads", "packets", "usec", "pps", "ns/packet", "ratio"
	}
	$1 == "run" {
		key = $2 FS $3
		if ($4 == "in-tree") base[key] = $9
		ratio = $4 != "in-tree" && base[key] > 0 ? sprintf("%.2f", $9 / base[key]) : "-"
		printf format, $4, $2, $3, $6, $7, $8, $9, ratio
	}'
}

result_lines() {
	awk -F '\t' '
	$1 == "run" { printf("%s, %s, %s thread%s:\n", $4, $2, $3, ($3 > 1) ? "s" : "") }
	$1 == "result" { printf "  %-9s %s\n", $7 ~ /^Result/ ? $6 : "", $7 }'
}

explain() {
	echo
	grep -q -P '^run\t.*\tin-tree\t' "$work/median" ||
		echo "This kernel has no pktgen module of its own, so there is no ratio."
	cat <<- TEXT
	ratio: ns per packet of pktgen_ext / in-tree; below 1 means that pktgen_ext is cheaper. Each row is the median
	of $rounds short interleaved runs at burst $burst. usec is the time of the slower thread, ns/packet what a packet
	costs its thread on average.
	TEXT
	[[ -n $host ]] || cat <<- 'TEXT'
	The CPU is emulated, so the absolute numbers mean nothing here: only the ratio does, and it scatters on a busy
	machine (make bench counts instructions instead).
	TEXT
}

show() {
	median_runs > "$work/median" || fail "there were no runs: $(tail -n 5 "$work/runs")"
	printf '\nKernel %s, dummy device, 60 byte, NO_TIMESTAMP\n\n' \
		"$(tr -d '\r' < "$work/runs" | awk -F '\t' '$1 == "kernel" { print $2 }')"
	table < "$work/median"
	explain
	cat <<- 'TEXT'

	Results of the runs in the table, as the files of the devices show them. netif_receive brings in packets for
	another MAC address, which the stack drops: it is this drop that its runs count as errors.

	TEXT
	result_lines < "$work/median"
}

# shellcheck disable=SC2317
clean_up() {
	phase_unwatch
	rm -rf "$work"
}

series=6.12 burst=1 rounds=3 host=''
while (($#)); do
	case $1 in
	-k) series=${2:?series}; shift ;;
	-b) burst=${2:?burst}; shift ;;
	-r) rounds=${2:?rounds}; shift ;;
	--host) host=1 ;;
	-h | --help) usage 0 ;;
	*) usage 2 >&2 ;;
	esac
	shift
done

work=$(mktemp -d "${TMPDIR:-/tmp}/pgx-quickstart.XXXXXX")
trap clean_up EXIT
trap 'exit 130' INT TERM
if [[ -n $host ]]; then
	run_on_host
else
	run_in_vm
fi
show
