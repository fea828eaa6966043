#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Look for faults without running anything: the module under W=1 and sparse on each kernel, checkpatch --strict, the
# kernel's own semantic patches, gcc's analyzer for the parts that userland compiles, shellcheck, pyflakes, and whether
# the userland parts compile. Silent when there is nothing to say, exit 1 otherwise.
#
#   lint.sh SERIES...
set -uo pipefail
here=$(dirname "$(realpath "$0")")
cd "$here/.." || exit 2
# shellcheck source=selftests/vm/deps.sh
source "$here/vm/deps.sh"

cache=${PGX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pktgen_ext}
scripts=$cache/kernel-scripts
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
	"$here/vm/build.sh" "$1" -j"$(nproc)" W=1 KBUILD_CHECKSRC=2 \
		CF="-D__CHECK_ENDIAN__ -D__typeof_unqual__=__typeof__ '-D_Static_assert(x...)='" > /dev/null || return
	grep -vE '^(make|  [A-Z]+ |  [A-Z]+ \[M\] |Skipping BTF generation)|sparse is not available or not up' "$build.log"
	# before 6.13 kbuild names a file by its whole path; what modpost makes is not ours
	files=$(grep -E '^  CC \[M\]  .*\.o$' "$build.log" | grep -cvE '\.mod\.o$|[ /]\.?module-common\.o$')
	(($(grep -c '^  CHECK ' "$build.log") == files)) || echo "kernel $1: sparse did not see each file"
}

# checkpatch and the semantic patches come with the sources of the kernel; they are kept in the cache.
kernel_scripts() {
	local source=linux-source-6.12 temp

	[[ -e $scripts/.complete ]] && return
	temp=$(mktemp -d "$cache/.scripts.XXXXXX")
	(cd "$temp" && apt-get -o APT::Sandbox::User=root download -qq $source > /dev/null &&
		dpkg --fsys-tarfile $source*.deb | tar -xO ./usr/src/$source.tar.xz | tar -xJ --strip-components 2 \
			$source/scripts/{checkpatch.pl,spelling.txt,const_structs.checkpatch,coccinelle} &&
		rm -f $source*.deb && touch .complete) || return
	rm -rf "$scripts"
	mv "$temp" "$scripts"
}

# What is asked for in vain: BIT() makes numbers of another type and is not there in userland; kernel-doc says what a
# mutex covers, above the struct; macros whose arguments are names of members.
not_wanted=FILE_PATH_CHANGES,SPDX_LICENSE_TAG,BIT_MACRO,UNCOMMENTED_DEFINITION,MACRO_ARG_REUSE,MACRO_ARG_PRECEDENCE

checkpatch() {
	find . -name '*.[ch]' -not -path './selftests/*' -print0 |
		xargs -0 perl "$scripts/checkpatch.pl" --no-tree --no-summary --terse --quiet --strict --max-line-length=100 \
			--ignore $not_wanted --file 2>&1
	# it keeps the names that it has seen
	rm -f .checkpatch-camelcase.*
}

coccinelle() {
	local patch options

	while IFS= read -r patch; do
		read -ra options < <(sed -n 's|^// *Options: *||p' "$patch")
		spatch --very-quiet -D report --no-show-diff --cocci-file "$patch" "${options[@]}" \
			pktgen_ext.c {control,engine,traffic,measure}/*.c 2> /dev/null < /dev/null
	done < <(find "$scripts/coccinelle" -name '*.cocci')
}

# A test that gets no memory may crash. With -O2 a block that is never freed is gone before anybody looks.
analyzer() {
	local file

	for file in {control/{param,value,address,series,config},traffic/{field,addr6,head,imix,flow}}.c measure/*.c \
		selftests/{unit,docs}/*.c selftests/fuzz/{result,replay}.c; do
		gcc -std=gnu11 -O1 -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -fanalyzer \
			-Wno-analyzer-possible-null-argument -Wno-analyzer-possible-null-dereference \
			-Iselftests/unit/shim -Iselftests/unit -Iselftests/fuzz -I. -c -o /dev/null "$file"
	done
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

python() {
	local files

	mapfile -d '' files < <(find . -name '*.py' -not -path './.git/*' -print0)
	pyflakes3 "${files[@]}"
}

pgx_need gcc make sparse shellcheck perl xz-utils libc6-dev coccinelle pyflakes3
mkdir -p "$cache"
kernel_scripts || complain 'lint.sh: the scripts of the kernel can not be fetched'
(($#)) || set -- 6.1 6.12
found=$(mktemp)
trap 'rm -f "$found"' EXIT
coccinelle > "$found" 2>&1 &
for series; do
	complain "$(kernel_code "$series" 2>&1)"
done
complain "$(checkpatch)"
complain "$(analyzer 2>&1)"
complain "$(long_lines)"
complain "$(shell_scripts 2>&1)"
complain "$(python 2>&1)"
complain "$(make -s -C selftests/unit build/unit 2>&1)"
complain "$(make -s -C selftests/fuzz lines.replay files.replay result.replay 2>&1)"
wait
complain "$(< "$found")"
exit $status
