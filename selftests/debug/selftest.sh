#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The debug kernel tests itself: each kind of fault is made on purpose, by a module for that, and must fail a case; a case
# without one must pass. Lockdep looks away after its first report, and after one of KASAN, so these have boots
# of their own.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
vm=$here/../vm
work=$(mktemp -d "${XDG_CACHE_HOME:-$HOME/.cache}/pgx-selftest.XXXXXX")
trap 'rm -rf "$work"' EXIT
number=0 failed=0
kinds=(ubsan sleep refcount object)
last=(kasan rcu lockdep)

build() {
	local root

	root=$("$vm/kernels.sh" path debug)
	cp -r "$here/provoke" "$work/"
	make -C "$root/usr/src/linux-headers-$(basename "$root")" M="$work/provoke" modules > "$work/log" 2>&1 ||
		{ cat "$work/log"; exit 1; }
}

fake_tree() {
	local kind

	mkdir -p "$work/tree/selftests/net"
	cp "$here/../net/run-cases.sh" "$work/tree/selftests/net/"
	for kind in none leak "${kinds[@]}" "${last[@]}"; do
		printf '# pgx: noload\ninsmod %s kind=%s && rmmod pgx_provoke\n' "$work/provoke/pgx_provoke.ko" "$kind" \
			> "$work/tree/selftests/net/$kind.sh"
	done
}

# boot CASE...: verdicts
boot() {
	"$vm/vm.sh" -k debug -- bash "$work/tree/selftests/net/run-cases.sh" none "$@" 2>&1 | tee -a "$work/said" |
		grep -E '^(not )?ok '
}

# judge CASE...: "none" must be fine, the others must not
judge() {
	local got want i=1 kind

	got=$(boot "$@" || true)
	for kind; do
		want="not ok $i $kind"
		[[ $kind != none ]] || want="ok $i $kind"
		if grep -qxF "$want" <<< "$got"; then
			echo "ok $((++number)) debug kernel: $kind"
		else
			echo "not ok $((++number)) debug kernel: $kind, got: ${got//$'\n'/, }"
			((++failed))
		fi
		((++i))
	done
}

echo "KTAP version 1"
build
fake_tree
export PGX_LEAKS=no
judge none "${kinds[@]}" none
PGX_LEAKS=each judge leak
for kind in "${last[@]}"; do
	judge "$kind"
done
((!failed)) || sed 's/^/# /' "$work/said"
echo "1..$number"
exit $((failed > 0))
