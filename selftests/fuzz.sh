#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Fuzz the userland build of the parser, the files and the texts of results; see fuzz/ for what has to hold.
#
#   fuzz.sh                          every input of the corpus, and 3000 changed ones that are the same each time
#   fuzz.sh SECONDS [TARGET ...]     libFuzzer for so long on each target: lines files result
#
# PGX_SEED: a number that libFuzzer begins with, 1 if not given. What it finds that is new stays in the cache, outside
# the tree; an input that breaks something stays where the output says. KTAP on standard output.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/vm/deps.sh
source "$here/vm/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}
targets=(lines files result)
number=0 failed=0

# verdict STATUS NAME OUTPUT: the output is told if it is bad
verdict() {
	if (($1)); then
		echo "not ok $((++number)) $2"
		echo "# ${3//$'\n'/$'\n'# }"
		((++failed))
	else
		echo "ok $((++number)) $2"
	fi
}

build() {
	make -s --no-print-directory -C "$here/fuzz" "${targets[@]/%/$1}" 2>&1
}

replay() {
	local target output work

	pgx_need gcc make libc6-dev
	output=$(build .replay) || { verdict 1 "fuzz build" "$output"; return; }
	work=$(mktemp -d)
	for target in "${targets[@]}"; do
		output=$(cd "$work" && "$here/fuzz/build/$target.replay" 1 3000 "$here/fuzz/corpus/$target"/* 2>&1)
		verdict $? "fuzz $target: corpus and 3000 changed inputs" \
			"$output"$'\n'"$(base64 "$work/crash" 2> /dev/null)"
	done
	rm -rf "$work"
}

# fuzz SECONDS TARGET
fuzz() {
	local dir=$cache/fuzz/$2 output status runs

	mkdir -p "$dir/found"
	output=$("$here/fuzz/build/$2.fuzz" -seed="${PGX_SEED:-1}" -max_total_time="$1" -max_len=2048 -timeout=20 \
		-print_final_stats=1 -dict="$here/fuzz/$2.dict" -artifact_prefix="$dir/" \
		"$dir/found" "$here/fuzz/corpus/$2" 2>&1)
	status=$?
	runs=$(sed -n 's/^stat::number_of_executed_units: //p' <<< "$output")
	verdict $status "fuzz $2: $runs inputs in $1 s, seed ${PGX_SEED:-1}" "$(tail -n 60 <<< "$output")"
	echo "# coverage: $(grep -o 'cov: .* corp: [^ ]*' <<< "$output" | tail -n 1); inputs: $dir"
}

echo "KTAP version 1"
if ((!$#)); then
	replay
elif [[ $1 =~ ^[1-9][0-9]*$ ]]; then
	seconds=$1
	shift
	((!$#)) || targets=("$@")
	pgx_need clang libclang-rt-dev g++ make libc6-dev
	if output=$(build .fuzz); then
		for target in "${targets[@]}"; do
			fuzz "$seconds" "$target"
		done
	else
		verdict 1 "fuzz build" "$output"
	fi
else
	sed -n '3,9s/^# \{0,1\}//p' "$0"
	exit 2
fi
echo "1..$number"
exit $((failed > 0))
