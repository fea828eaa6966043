#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The harness tests itself: what it brings back, and that it sees what is wrong.
set -u
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d "${XDG_CACHE_HOME:-$HOME/.cache}/pgx-selftest.XXXXXX")
trap 'rm -rf "$work"' EXIT
number=0 failed=0

# is DESCRIPTION GOT WANT
is() {
	if [[ $2 == "$3" ]]; then
		echo "ok $((++number)) vm: $1"
	else
		echo "not ok $((++number)) vm: $1"
		echo "# got:  ${2//$'\n'/ }"
		echo "# want: $3"
		((++failed))
	fi
}

vm() {
	"$here/vm.sh" -k 6.12 "$@" 2> "$work/stderr"
}

# A tree with a few cases, to see what the runner makes of them.
fake_tree() {
	mkdir -p "$work/tree/selftests/net"
	cp "$here/../net/run-cases.sh" "$work/tree/selftests/net/"
	# shellcheck disable=SC2016
	echo 'echo "1..0"; [[ $1 ]]' > "$work/tree/selftests/net/fails.sh"
	echo 'echo "WARNING: CPU: 0 PID: 1 at a test" > /dev/kmsg' > "$work/tree/selftests/net/warns.sh"
	echo 'true' > "$work/tree/selftests/net/fine.sh"
	echo 'echo "ok 1 a card # SKIP no such card"' > "$work/tree/selftests/net/skips.sh"
	sed -i '1i # pgx: noload' "$work"/tree/selftests/net/{fails,warns,fine,skips}.sh
	kinds > "$work/kinds"
	local n=0 line
	while read -r line; do
		((++n))
		printf '# pgx: noload\necho %q > /dev/kmsg\n' "$line" > "$work/tree/selftests/net/kind$n.sh"
	done < "$work/kinds"
}

# The first line of everything that the runner has to see, as kernels word it.
kinds() {
	cat <<- 'EOF'
	WARNING: CPU: 0 PID: 1 at net/core/dev.c:1 f+0x1/0x2
	BUG: unable to handle page fault for address: 0000000000000010
	kernel BUG at mm/slub.c:1!
	BUG kmalloc-64 (Tainted: G           O      ): Objects remaining on __kmem_cache_shutdown()
	Oops: 0000 [#1] PREEMPT SMP KASAN
	BUG: KASAN: slab-use-after-free in f+0x1/0x2
	BUG: KCSAN: data-race in f / g
	UBSAN: array-index-out-of-bounds in a.c:1:2
	WARNING: possible circular locking dependency detected
	WARNING: inconsistent lock state
	WARNING: suspicious RCU usage
	BUG: sleeping function called from invalid context at a.c:1
	BUG: scheduling while atomic: a/1/0x00000002
	INFO: trying to register non-static key.
	ODEBUG: free active (active state 0) object: 00000000 object type: timer_list hint: f+0x0/0x1
	refcount_t: underflow; use-after-free.
	ref_tracker: d0@00000000 has 1/1 users at
	unregister_netdevice: waiting for d0 to become free. Usage count = 2
	rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
	rcu: INFO: rcu_preempt self-detected stall on CPU
	INFO: task kpktgend_0:1 blocked for more than 120 seconds.
	watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [kpktgend_0:1]
	BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 31s!
	kmemleak: 1 new suspected memory leaks (see /sys/kernel/debug/kmemleak)
	list_add corruption. next->prev should be prev
	RTNL: assertion failed at net/core/dev.c (1)
	a: page allocation failure: order:0, mode:0x920(GFP_ATOMIC|__GFP_ZERO)
	protocol 0800 is buggy, dev d0
	EOF
}

# emulator_fault BYTES: whether the log of a machine that stopped there tells of the emulator
emulator_fault() {
	cat > "$work/log" <<- EOF
	[  412.1] Oops: int3: 0000 [#1] PREEMPT SMP
	[  412.2] RIP: 0010:f+0x185/0x330
	[  412.3] Code: 07 00 00 e8 7c 25 c4 d4 $1 49 8b
	EOF
	"$here/emulator-fault.sh" "$work/log" && echo yes
}

echo "KTAP version 1"
fake_tree
# One boot for all that a living guest can tell.
out=$(vm -l "$work/klog" -o "$work" -- bash -c "echo spoken; echo log-mark > /dev/kmsg; touch '$here/leak'
	echo kept > \$PGX_OUT/file; uname -r; bash '$work/tree/selftests/net/run-cases.sh' none fine fails warns skips
	bash '$work/tree/selftests/net/run-cases.sh' none \$(seq -f kind%g $(wc -l < "$work/kinds")) > \$PGX_OUT/verdicts; exit 3")
is 'exit code comes back' $? 3
is 'output comes back' "$(head -n 1 <<< "$out")" spoken
is 'the kernel is the one asked for' "$(sed -n 2p <<< "$out" | cut -d . -f 1,2)" 6.12
is 'the kernel log comes back' "$(grep -c log-mark "$work/klog")" 1
is 'what is put into PGX_OUT comes back' "$(cat "$work/file" 2>&1)" kept
is 'nothing else does' "$(ls "$here/leak" 2> /dev/null)" ''
is 'a case that passes' "$(grep -c '^ok 1 fine' <<< "$out")" 1
is 'a case that fails' "$(grep -c '^not ok 2 fails' <<< "$out")" 1
is 'a case that leaves a warning in the log' "$(grep -c '^not ok 3 warns' <<< "$out")" 1
is 'a case that checks nothing says why' "$(sed -n 's/^ok 4 skips # SKIP //p' <<< "$out")" 'no such card'
is 'every kind of fault that the log can have' "$(grep '^ok' "$work/verdicts")" ''
is 'each of them' "$(grep -c '^not ok' "$work/verdicts")" "$(wc -l < "$work/kinds")"
vm -t 25 -- sleep 300 > /dev/null
is 'time limit' $? 124
vm -t 60 -- bash -c 'echo c > /proc/sysrq-trigger' > /dev/null
is 'a guest that dies' $? 125
is 'and its log is shown' "$(grep -c 'sysrq triggered crash' "$work/stderr" | sed 's/^[1-9].*/some/')" some
is 'a breakpoint that is not there is the fault of the emulator' "$(emulator_fault 'eb <44>')" yes
is 'one that is there is not' "$(emulator_fault 'cc <44>')" ''
emulator_fault 'eb <44>' > /dev/null
sed -i 's/int3: 0000/0000/' "$work/log"
is 'nor is a fault of another kind' "$("$here/emulator-fault.sh" "$work/log" && echo yes)" ''
is 'nor is a log without one' "$("$here/emulator-fault.sh" /dev/null && echo yes)" ''
echo "1..$number"
exit $((failed > 0))
