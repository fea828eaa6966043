#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Look for faults without running anything: the module under W=1 and sparse on each kernel, checkpatch, shellcheck, and
# the compilation of the userland parts. Silent when there is nothing to say, exit 1 otherwise.
#
#   lint.sh SERIES...
set -uo pipefail
here=$(dirname "$(realpath "$0")")
cd "$here/.." || exit 2
# shellcheck source=selftests/vm/deps.sh
source "$here/vm/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}
status=0
complain() {
	[[ -z $1 ]] && return
	echo "$1"
	status=1
}

# A clean build that says more than which file it is at has something to say. The headers package of Debian's 7.x lacks
# the script that looks whether sparse is there, and sparse knows neither __typeof_unqual__ nor strlen() of a constant: it
# is told what to take for them, and that it did run is seen by its lines.
kernel_code() {
	local build files

	build=$cache/build/$(basename "$("$here/vm/kernels.sh" path "$1")")
	rm -rf "$build"
	"$here/vm/build.sh" "$1" W=1 KBUILD_CHECKSRC=2 \
		CF="-D__CHECK_ENDIAN__ -D__typeof_unqual__=__typeof__ '-D_Static_assert(x...)='" > /dev/null || return
	grep -vE '^(make|  [A-Z]+ |  [A-Z]+ \[M\] |Skipping BTF generation)|sparse is not available or not up' "$build.log"
	files=$(grep -cE '^  CC \[M\]  [a-z0-9/]+\.o$' "$build.log")
	(($(grep -c '^  CHECK ' "$build.log") == files)) || echo "kernel $1: sparse did not see each file"
}

# checkpatch comes with the sources of the kernel; it is kept in the cache.
checkpatch() {
	local source=linux-source-6.12 dir=$cache/checkpatch

	if [[ ! -x $dir/checkpatch.pl ]]; then
		mkdir -p "$dir"
		(cd "$dir" && apt-get -o APT::Sandbox::User=root download -qq $source > /dev/null &&
			dpkg --fsys-tarfile $source*.deb | tar -xO ./usr/src/$source.tar.xz |
			tar -xJ --strip-components 2 $source/scripts/{checkpatch.pl,spelling.txt,const_structs.checkpatch}
			rm -f $source*.deb)
	fi
	find . -name '*.[ch]' -not -path './selftests/*' -print0 |
		xargs -0 perl "$dir/checkpatch.pl" --no-tree --no-summary --terse --quiet --max-line-length=100 \
			--ignore FILE_PATH_CHANGES,SPDX_LICENSE_TAG --file 2>&1
}

# checkpatch lets a comment be as long as it likes when it is given a file.
long_lines() {
	local file

	for file in pktgen_ext.[ch] {control,engine,traffic,measure,compat}/*.[ch]; do
		[[ ! -f $file ]] || expand "$file" | awk -v f="$file" 'length > 100 { print f ":" FNR ": over 100 columns" }'
	done
}

shell_scripts() {
	find . -name '*.sh' -not -path './.git/*' -print0 | xargs -0 shellcheck -x -P SCRIPTDIR -P .
	shellcheck -s sh selftests/vm/initramfs-init
	shellcheck .ci/run
}

pgx_need gcc make sparse shellcheck perl xz-utils libc6-dev
(($#)) || set -- 6.1 6.12
for series; do
	complain "$(kernel_code "$series" 2>&1)"
done
complain "$(checkpatch)"
complain "$(long_lines)"
complain "$(shell_scripts 2>&1)"
complain "$(make -s -C selftests/unit build/unit 2>&1)"
exit $status
