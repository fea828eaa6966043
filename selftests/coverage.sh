#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Which lines and branches of the module the cases reach, counted by the debug kernel.
#
#   coverage.sh [CASE ...]    all cases, the slow ones too, unless some are named
#   coverage.sh -r FOLDER     only the report, of what an earlier run left in a folder
#
# Fails below 90 % of lines, and when a function has lines that were not reached and Documentation/testing.rst does not
# name it with a reason.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/vm/deps.sh
source "$here/vm/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}

report() {
	local build

	build=$cache/build/$("$here/vm/kernels.sh" release debug)-gcov
	python3 "$here/coverage.py" "$build" "$1" "$here/.."
}

# Unit tests run in userland, from the same sources.
count_unit() {
	make -s --no-print-directory -C "$here/unit" build="$1" CC=gcc-12 EXTRA=--coverage check > /dev/null
}

pgx_need gcc-12 python3-minimal libpython3-stdlib
if [[ ${1:-} == -r ]]; then
	report "${2:?folder}"
	exit
fi
PGX_GCOV=$(mktemp -d "${TMPDIR:-/tmp}/pgx-coverage.XXXXXX")
export PGX_GCOV
"$here/run.sh" --all -t 3600 -k debug "${@:-net}" || echo "# some cases failed; what they reached counts"
count_unit "$PGX_GCOV/unit"
report "$PGX_GCOV"
echo "# again, without the run: selftests/coverage.sh -r $PGX_GCOV"
