#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tests. Without a name all of them but the cases that are marked slow, on every kernel.
#
#   run.sh [-k SERIES] [-t SECONDS] [--all] [NAME ...]     NAME: unit, fuzz, docs, net, vm, or a case such as net/doors
#   run.sh --list
#
#   --all: slow cases too, which takes the better part of an hour more for each kernel
#
# KTAP on standard output; the last line counts, the ones before it per kernel. Kernel logs stay in a folder that the
# output names.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/vm/deps.sh
source "$here/vm/deps.sh"

passed=0 failed=0 skipped=0
series=() limit=1500 logs='' all=''

net_cases() {
	local file

	for file in "$here"/net/*.sh "$here"/net/*.py; do
		file=$(basename "${file%.*}")
		[[ $file =~ ^(lib|run-cases|casehost|pgx|frames|rig|netlink)$ ]] || echo "$file"
	done
}

list() {
	echo unit
	echo fuzz
	echo docs
	echo vm
	net_cases | sed 's|^|net/|'
}

# record VERDICT CASE: a line for the end of the output, and for supported.sh; the checks are those that were seen since
# the last one
record() {
	[[ -z $machine ]] || echo "$machine $2 $1 $checks $unchecked" >> "$logs/results"
	checks=0 unchecked=0
}

# Pass output on and count its top level results, and apart from them the checks that cases consist of.
machine='' checks=0 unchecked=0 plan='' seen=0
count() {
	local line word

	plan='' seen=0
	while IFS= read -r line; do
		echo "$line"
		read -r -a word <<< "$line"
		case $line in
		'ok '*'# SKIP'*) ((skipped++, seen++)); record skipped "${word[2]}" ;;
		'ok '*) ((passed++, seen++)); record passed "${word[2]:--}" ;;
		'not ok '*) ((failed++, seen++)); record failed "${word[3]:--}" ;;
		1..*) plan=${line#1..} ;;
		'  ok '*'# SKIP'*) ((unchecked++)) ;;
		'  ok '*) ((checks++)) ;;
		esac
	done
}

# A plan that was not fulfilled is a failure.
judge_plan() {
	[[ $plan == "$seen" ]] && return
	echo "not ok - planned ${plan:-nothing}, came to $seen"
	((failed++))
	record failed '(all)'
}

run_unit() {
	pgx_need gcc make libc6-dev
	count < <(make -s --no-print-directory -C "$here/unit" check 2>&1)
	judge_plan
}

run_fuzz() {
	count < <("$here/fuzz.sh" 2>&1)
	judge_plan
}

# The pages of Documentation/ against the sources.
run_docs() {
	local found

	if found=$("$here/docs.sh" 2>&1); then
		echo "ok 1 docs"
		((passed++))
	else
		echo "not ok 1 docs"
		echo "# ${found//$'\n'/$'\n'# }"
		((failed++))
	fi
}

run_vm() {
	count < <("$here/vm/selftest.sh" 2>&1)
	judge_plan
}

# fetch_samples SERIES: the case finds them by this variable, which the guest gets too
fetch_samples() {
	if ! PGX_SAMPLES=$("$here/vm/ksources.sh" "$1"); then
		echo "not ok - the samples of kernel $1 can not be fetched"
		((failed++))
	fi
	export PGX_SAMPLES
}

tell_kernels() {
	local series release good bad out checks unchecked

	while read -r series release good bad out checks unchecked; do
		echo "# $series ($release): $good cases passed, $bad failed, $out skipped; of their checks $checks passed, $unchecked skipped"
	done < <("$here/supported.sh" -s "$logs/results")
	echo "# for the tables in README.md and testing.rst: selftests/supported.sh $logs/results"
}

# header CASE: what its first lines say of it, each without the "# pgx: " before
header() {
	local file=$here/net/$1.sh

	[[ -f $file ]] || file=${file%.sh}.py
	sed -n '1,10s/^# pgx: //p' "$file"
}

# says CASE REGEX: whether one of those lines is like that as a whole
says() {
	[[ $(header "$1") =~ (^|$'\n')($2)($|$'\n') ]]
}

# A case that wants words on the kernel's command line wants a boot of its own.
is_alone() {
	says "$1" "alone|append [^"$'\n'"]*"
}

# boot KO APPEND CASE...: these cases in one virtual machine; in a second one those that a fault of the emulator left
boot() {
	local ko=$1 append=$2 log=$logs/$kernel.log out=() status again

	shift 2
	(($# > 1)) || log=$logs/$kernel-$1.log
	machine="$kernel $("$here/vm/kernels.sh" release "$kernel")"
	for again in '' yes; do
		[[ -z ${PGX_GCOV:-} ]] || out=(-o "$(mktemp -d "$PGX_GCOV/$1.XXX")")
		count < <("$here/vm/vm.sh" -k "$kernel" -t "$limit" -l "$log" "${out[@]}" -n e1000 -a "$append" -- \
			bash "$here/net/run-cases.sh" "$ko" "$@" 2>&1)
		status=0
		wait $! || status=$?
		echo "# kernel log: $log"
		[[ $status == 120 && -z $again ]] || break
		shift "$seen"
		log=${log%.log}-again.log
		echo "# the emulator was at fault, see vm/emulator-fault.sh; what is left runs again: $*"
	done
	judge_plan
}

# run_net SERIES CASE...: one boot for all cases but those that want one of their own
run_net() {
	local kernel=$1 ko name usual=()

	shift
	echo "# kernel $kernel"
	if ! ko=$("$here/vm/build.sh" "$kernel"); then
		echo "not ok - the module does not build for $kernel"
		((failed++))
		return
	fi
	if [[ " $* " == *' ksamples '* ]]; then
		fetch_samples "$kernel"
	fi
	for name; do
		is_alone "$name" || usual+=("$name")
	done
	((!${#usual[@]})) || boot "$ko" '' "${usual[@]}"
	for name; do
		! is_alone "$name" || boot "$ko" "$(header "$name" | sed -n 's/^append //p')" "$name"
	done
}

# Cases that run unless others are named.
usual_cases() {
	local name

	while read -r name; do
		[[ -z $all ]] && says "$name" slow || echo "$name"
	done < <(net_cases)
}

cases=() unit='' fuzz='' docs='' vm=''
choose() {
	case $1 in
	unit) unit=1 ;;
	fuzz) fuzz=1 ;;
	docs) docs=1 ;;
	vm) vm=1 ;;
	net) mapfile -t -O "${#cases[@]}" cases < <(usual_cases) ;;
	*)
		if ! grep -qx "${1#net/}" <<< "$(net_cases)"; then
			echo "run.sh: there is no test '$1', allowed is:" >&2
			list >&2
			exit 2
		fi
		cases+=("${1#net/}")
		;;
	esac
}

while getopts k:t:-: opt; do
	case $opt-${OPTARG:-} in
	k-*) series+=("$OPTARG") ;;
	t-*) limit=$OPTARG ;;
	--list) list; exit ;;
	--all) all=1 ;;
	*) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
(($#)) || set -- unit fuzz docs vm net
((${#series[@]})) || series=(6.1 6.12)
for name; do
	choose "$name"
done
logs=$(mktemp -d "${TMPDIR:-/tmp}/pgx-logs.XXXXXX")

[[ -z $unit ]] || run_unit
[[ -z $fuzz ]] || run_fuzz
[[ -z $docs ]] || run_docs
[[ -z $vm ]] || run_vm
if ((${#cases[@]})); then
	pgx_need python3-minimal libpython3-stdlib iproute2 procps ethtool linux-perf python3-scapy python3-cryptography \
		tshark tcpdump
	command -v busybox > /dev/null || pgx_need busybox-static
	for kernel in "${series[@]}"; do
		run_net "$kernel" "${cases[@]}"
	done
	[[ ! -s $logs/results ]] || tell_kernels
fi
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0 && passed > 0))
