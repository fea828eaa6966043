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

# Kernels that look for faults are slow: limits of time are multiplied by this.
slow=${PGX_SLOW:-1}

# What no input may bring about. Taint lines of an out-of-tree module are no fault, nor is it one that kmemleak itself was
# refused memory for something it can do without.
splat='WARNING:|BUG:|BUG at|BUG [a-z_-]+[0-9]* |Oops|general protection|Call Trace|invalid opcode|divide error'
splat+='|KASAN|KCSAN|UBSAN|KFENCE|KMSAN|unable to handle|double fault|Kernel memory (exposure|overwrite)'
splat+='|lockdep|possible circular|possible recursive|inconsistent lock state|non-static key|bad unlock balance'
splat+='|suspicious RCU usage|sleeping function called|scheduling while atomic|held lock freed|still held'
splat+='|ODEBUG|refcount_t|ref_tracker|leaked reference|unregister_netdevice: waiting|to become free'
splat+='|rcu.*(stall|detected)|soft lockup|hard LOCKUP|workqueue lockup|hung_task|blocked for more than'
splat+='|kmemleak: [0-9]+ new|leak detector disabled|unreferenced object|Memory leak|list_(add|del) corruption|Slab corruption|[Pp]oison overwritten'
splat+='|RTNL: assertion failed|page allocation failure|is buggy, dev|NETDEV WATCHDOG|stack-protector'

# option WORD FILE: what the file's header says of it, "yes" where it is the word alone
option() {
	sed -n "1,10 { s/^# pgx: $1$/yes/p; s/^# pgx: $1 //p }" "$2"
}

# log_since MARK: all that is left of the log where the mark has already been overwritten
log_since() {
	dmesg | awk -v mark="$1" '{ line[NR] = $0 } index($0, mark) { begin = NR } END { while (begin++ < NR) print line[begin] }'
}

# Objects that nothing refers to any more, on a kernel that can tell. It takes none for lost in its first five seconds,
# nor before two scans have seen it unchanged. That is a minute or more, so it is done once, after all cases, unless
# PGX_LEAKS=each asks for the case that something was lost in, or PGX_LEAKS=no for none of it.
leaks=/sys/kernel/debug/kmemleak
find_leaks() {
	[[ -w $leaks ]] || return 0
	sleep 6
	echo scan > "$leaks"
	echo scan > "$leaks"
	head -n 60 "$leaks"
	echo clear > "$leaks"
}

# Lockdep looks away after its first report, so a later case would prove nothing.
lockdep_is_off() {
	grep -qs 'debug_locks: *0$' /proc/lockdep_stats
}

# faults MARK: what the kernel found since
faults() {
	[[ ${PGX_LEAKS:-} != each ]] || find_leaks
	! lockdep_is_off || echo "lockdep is off"
	log_since "$1" | grep -E -A 25 "$splat"
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
	limit=$((${limit:-120} * slow))
	echo "$mark" > /dev/kmsg
	[[ -n $(option noload "$file") ]] || insmod "$PGX_KO" || status=1
	if [[ $file == *.sh ]]; then
		run_shell "$file" "$limit" || status=$?
	else
		run_python "$file" "$limit" || status=$?
	fi
	((status != 124)) || echo "# no end within $limit s"
	if grep -q '^pktgen_ext ' /proc/modules && ! timeout $((20 * slow)) rmmod pktgen_ext; then
		echo "# the module can not be unloaded"
		status=1
	fi
	found=$(faults "$mark")
	if [[ -n $found ]]; then
		head -n 80 <<< "$found" | sed 's/^/# /'
		status=1
	fi
	((number++))
	echo "# $name took $((SECONDS - begin)) s"
	reason=$(skip_reason)
	if ((status)); then echo "not ok $number $name"; else echo "ok $number $name${reason:+ $reason}"; fi
	return $((status != 0))
}

# A last line in the plan, as if it were a case.
judge_leaks() {
	[[ -w $leaks && -z ${PGX_LEAKS:-} ]] || return 0
	find_leaks > "$said"
	((number++))
	if [[ ! -s $said ]]; then
		echo "ok $number leaks"
		return
	fi
	sed 's/^/# /' "$said"
	echo "not ok $number leaks"
	return 1
}

# What the module's code counted of itself, for coverage.sh; it is kept where a module was unloaded. A later case may
# be the end of the machine, so this is done after each.
keep_counts() {
	local from

	# an object's place below the folder of its build is its place there
	from=$(find /sys/kernel/debug/gcov -type d -name '*-gcov')
	[[ -z $from ]] || cp -r "$from/." "$PGX_OUT/"
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
	[[ -z ${PGX_GCOV:-} ]] || keep_counts
done
judge_leaks || ((failed++))
echo "1..$number"
exit $((failed > 0))
