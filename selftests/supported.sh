#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Write the tables of kernels in README.md and Documentation/testing.rst from results of run.sh, whose output names the
# file.
#
#   supported.sh [-n | -s] FILE...    -n: print the tables, leave the files alone; -s: print a line of sums per kernel
#
# A case on a kernel that is in several files is taken from the last one.
set -euo pipefail
here=$(dirname "$(realpath "$0")")

# The Debian release that a kernel's packages come from.
origin() {
	case $("$here/vm/kernels.sh" suite "$1") in
	'') echo 12 ;;
	trixie) echo '13, backports' ;;
	esac
}

# The last line of each case on each kernel, in the order of kernels.sh.
latest() {
	local series

	for series in $("$here/vm/kernels.sh" list); do
		awk -v s="$series" '$1 == s { if (!($3 in row)) order[++n] = $3; row[$3] = $0 }
			END { for (i = 1; i <= n; i++) print row[order[i]] }' "$@"
	done
}

# Per kernel: its release, cases passed, failed, skipped, checks in them passed, skipped.
sums() {
	awk '{
		if (!($1 in release)) order[++n] = $1
		release[$1] = $2; verdicts[$1, $4]++; checks[$1] += $5; unchecked[$1] += $6
	} END {
		for (i = 1; i <= n; i++) {
			s = order[i]
			print s, release[s], verdicts[s, "passed"] + 0, verdicts[s, "failed"] + 0, verdicts[s, "skipped"] + 0,
				checks[s], unchecked[s]
		}
	}'
}

# Kernels that are built to look for faults are not among those that one runs.
readme_table() {
	local series release good bad out checks unchecked

	echo '| kernel | Debian | cases passed | failed | skipped | checks in them passed | skipped |'
	echo '| --- | --- | --- | --- | --- | --- | --- |'
	while read -r series release good bad out checks unchecked; do
		! "$here/vm/kernels.sh" is_built "$series" || continue
		echo "| $release | $(origin "$series") | $good | $bad | $out | $checks | $unchecked |"
	done < <(sums <<< "$1")
}

# A row per case, a column per kernel: checks that passed, what was skipped in brackets.
case_table() {
	awk '{
		if (!($1 in series)) { kernel[++k] = $1; series[$1] = 1 }
		if (!($3 in seen)) { name[++n] = $3; seen[$3] = 1 }
		text = $4 == "failed" ? "**failed**" : $4 == "skipped" ? "skipped" : $5
		cell[$1, $3] = text ($4 == "passed" && $6 ? " (" $6 " skipped)" : "")
	} END {
		print ".. list-table::\\n   :header-rows: 1\\n\\n   * - Case"
		for (i = 1; i <= k; i++) print "     - " kernel[i]
		for (j = 1; j <= n; j++) {
			print "   * - " name[j]
			for (i = 1; i <= k; i++) print "     - " ((kernel[i], name[j]) in cell ? cell[kernel[i], name[j]] : "not run")
		}
	}' <<< "$1" | sed 's/\\n/\n/g'
}

# put FILE TEXT BEGIN END: between the two lines
put() {
	local file=$here/../$1

	[[ $(grep -cxF -e "$3" -e "$4" "$file") == 2 ]] || { echo "supported.sh: $1 has no place for the table" >&2; exit 1; }
	TEXT=$2 awk -v begin="$3" -v end="$4" '
		$0 == end { inside = 0 }
		!inside { print }
		$0 == begin { print ""; print ENVIRON["TEXT"]; print ""; inside = 1 }' "$file" > "$file.new"
	cat "$file.new" > "$file"
	rm "$file.new"
}

only=''
[[ ! ${1:-} =~ ^-[ns]$ ]] || { only=$1; shift; }
(($#)) || { sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2; }
for file; do
	[[ -s $file ]] || { echo "supported.sh: nothing in $file" >&2; exit 1; }
done
rows=$(latest "$@")
case $only in
-n)
	readme_table "$rows"
	case_table "$rows"
	exit
	;;
-s)
	sums <<< "$rows"
	exit
	;;
esac
put README.md "$(readme_table "$rows")" '<!-- supported.sh writes this table -->' '<!-- end of the table -->'
put Documentation/testing.rst "$(case_table "$rows")" '.. supported.sh writes this table' '.. end of the table'
