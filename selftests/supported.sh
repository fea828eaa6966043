#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Write README.md's table of supported kernels from results of run.sh, whose output names the file.
#
#   supported.sh [-n] FILE...    -n: print the table, leave README.md alone
#
# A kernel that is in several files is taken from the last one.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
readme=$here/../README.md
begin='<!-- supported.sh writes this table -->'
end='<!-- end of the table -->'

# The Debian release that a kernel's packages come from.
origin() {
	case $("$here/vm/kernels.sh" suite "$1") in
	'') echo 12 ;;
	trixie) echo '13, backports' ;;
	esac
}

# In the order of kernels.sh.
rows() {
	local series name release good bad out checks unchecked

	while read -r series; do
		while read -r name release good bad out checks unchecked; do
			echo "| $release | $(origin "$name") | $good | $bad | $out | $checks | $unchecked |"
		done < <(cat "$@" | awk -v s="$series" '$1 == s { row = $0 } END { if (row) print row }')
	done < <("$here/vm/kernels.sh" list)
}

table() {
	echo '| kernel | Debian | cases passed | failed | skipped | checks in them | skipped |'
	echo '| --- | --- | --- | --- | --- | --- | --- |'
	rows "$@"
}

only_print=''
[[ ${1:-} != -n ]] || { only_print=1; shift; }
(($#)) || { sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 2; }
for file; do
	[[ -s $file ]] || { echo "supported.sh: nothing in $file" >&2; exit 1; }
done
text=$(table "$@")
[[ -z $only_print ]] || { echo "$text"; exit; }
[[ $(grep -cxF -e "$begin" -e "$end" "$readme") == 2 ]] ||
	{ echo "supported.sh: README.md has no place for the table" >&2; exit 1; }
awk -v begin="$begin" -v end="$end" -v text="$text" '
	$0 == end { inside = 0 }
	!inside { print }
	$0 == begin { print ""; print text; print ""; inside = 1 }' "$readme" > "$readme.new"
cat "$readme.new" > "$readme"
rm "$readme.new"
