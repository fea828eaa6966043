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
}

echo "KTAP version 1"
fake_tree
# One boot for all that a living guest can tell.
out=$(vm -l "$work/klog" -o "$work" -- bash -c "echo spoken; echo log-mark > /dev/kmsg; touch '$here/leak'
	echo kept > \$PGX_OUT/file; uname -r; bash '$work/tree/selftests/net/run-cases.sh' none fine fails warns skips; exit 3")
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
vm -t 25 -- sleep 300 > /dev/null
is 'time limit' $? 124
vm -t 60 -- bash -c 'echo c > /proc/sysrq-trigger' > /dev/null
is 'a guest that dies' $? 125
is 'and its log is shown' "$(grep -c 'sysrq triggered crash' "$work/stderr" | sed 's/^[1-9].*/some/')" some
echo "1..$number"
exit $((failed > 0))
