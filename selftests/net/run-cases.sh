#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs in the guest: every case named, each with the module freshly loaded and the kernel log as a second judge.
#
#   run-cases.sh KO CASE...
#
# A case may say in its first lines "# pgx: noload" to load the module itself, "# pgx: timeout SECONDS", and, in Python,
# "# pgx: needs MODULE..." for what takes long to import.
set -u
PGX_TOP=$(realpath "$(dirname "$0")/../..")
PGX_KO=$1
shift
export PGX_TOP PGX_KO PYTHONDONTWRITEBYTECODE=1

# What no input may bring about. Taint lines of an out-of-tree module are no fault.
splat='WARNING:|BUG:|Oops|general protection|Call Trace|KASAN|KCSAN|UBSAN|lockdep|possible circular|possible recursive'
splat+='|refcount_t|rcu.*(stall|detected)|soft lockup|hung_task|blocked for more than|scheduling while atomic'
splat+='|unregister_netdevice: waiting|kmemleak|Memory leak|list_(add|del) corruption'

# option WORD FILE: what the file's header says of it, "yes" where it is the word alone
option() {
	sed -n "1,10 { s/^# pgx: $1$/yes/p; s/^# pgx: $1 //p }" "$2"
}

log_since() {
	dmesg | sed "1,/$1/d"
}

# run_shell FILE LIMIT
run_shell() {
	timeout -k 5 "$2" bash "$1" 2>&1 | sed -u 's/^/  /' | tee "$said"
	return "${PIPESTATUS[0]}"
}

# run_python FILE LIMIT: in a fork of a process that all cases share
run_python() {
	local status=1

	[[ -n ${HOST_PID:-} ]] || coproc HOST { exec /usr/bin/python3 "$PGX_TOP/selftests/net/casehost.py"; }
	echo "$1 $2 $pipe $(option needs "$1")" >&"${HOST[1]}"
	sed -u 's/^/  /' < "$pipe" | tee "$said"
	read -r status <&"${HOST[0]}"
	return "$status"
}

# Why a case was skipped that did not check anything; nothing for one that did.
skip_reason() {
	grep -qE '^  (not ok|ok [^#]*$)' "$said" || sed -n '/^  ok .*# SKIP/ { s/.*# SKIP/# SKIP/p; q }' "$said"
}

# The verdict has a line of its own, "ok" or "not ok", after what the case itself printed.
run_case() {
	local name=$1 file mark="pgx case $1 $RANDOM$RANDOM" status=0 limit found begin=$SECONDS reason

	file=$PGX_TOP/selftests/net/$1.sh
	[[ -f $file ]] || file=${file%.sh}.py
	echo "# $name"
	limit=$(option timeout "$file")
	echo "$mark" > /dev/kmsg
	[[ -n $(option noload "$file") ]] || insmod "$PGX_KO" || status=1
	if [[ $file == *.sh ]]; then
		run_shell "$file" "${limit:-120}" || status=$?
	else
		run_python "$file" "${limit:-120}" || status=$?
	fi
	((status != 124)) || echo "# no end within ${limit:-120} s"
	if grep -q '^pktgen_ext ' /proc/modules && ! timeout 20 rmmod pktgen_ext; then
		echo "# the module can not be unloaded"
		status=1
	fi
	found=$(log_since "$mark" | grep -E "$splat")
	if [[ -n $found ]]; then
		log_since "$mark" | grep -E -A 25 "$splat" | head -n 60 | sed 's/^/# /'
		status=1
	fi
	((number++))
	echo "# $name took $((SECONDS - begin)) s"
	reason=$(skip_reason)
	if ((status)); then echo "not ok $number $name"; else echo "ok $number $name${reason:+ $reason}"; fi
	return $((status != 0))
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pipe=$work/pipe
said=$work/said
mkfifo "$pipe"
number=0 failed=0
echo "KTAP version 1"
for name; do
	run_case "$name" || ((failed++))
done
echo "1..$number"
exit $((failed > 0))
