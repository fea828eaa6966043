#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Check the documentation against the sources: what the table of parameters says of each command, the answer to every
# example, files and words that have to be named, links, and the syntax of the pages. Silent when all is right, exit 1
# otherwise.
#
#   docs.sh             check
#   docs.sh --write     write anew what comes from the table, then check
set -uo pipefail
here=$(dirname "$(realpath "$0")")
cd "$here/.." || exit 2
# shellcheck source=selftests/vm/deps.sh
source "$here/vm/deps.sh"

reference=Documentation/pktgen_ext.rst
status=0
complain() {
	[[ -z $1 ]] && return
	echo "$1"
	status=1
}

build() {
	local leaves=(control/{param,value,address,series,config}.c traffic/head.c measure/{text,result}.c)

	gcc -std=gnu11 -O1 -g -Wall -Wextra -Werror -Wno-unused-parameter -Wno-missing-field-initializers \
		-fsanitize=address,undefined -fno-sanitize-recover=all -Iselftests/unit/shim -I. \
		-o "$tmp/reference" selftests/docs/reference.c "${leaves[@]}"
}

# page FILE: compare it with what it should be
page() {
	local whole=()

	[[ $1 != "$reference" ]] || whole=(--whole)
	"$tmp/reference" "${whole[@]}" < "$1" > "$tmp/page"
	[[ -z $write ]] || grep -v '^missing: ' "$tmp/page" > "$1"
	diff -u --label "$1" --label "$1, as the sources have it" "$1" "$tmp/page"
}

# Words that only the reference has to have, as ``WORD``.
words() {
	local word

	{
		sed -n 's/^\t{ "\([a-z_]*\)",.*/\1/p' control/command.c
		sed -n 's/^module_param(\([a-z_]*\),.*/\1/p' pktgen_ext.c
	} | while read -r word; do
		grep -qE "\`\`$word( |\`\`)" $reference || echo "$reference: no \`\`$word\`\`"
	done
}

# A link that is a path leads to a file of the tree.
links() {
	local file link

	grep -oE '<[^<>:]+\.(rst|md|4)>`_' Documentation/*.rst |
		while IFS=: read -r file link; do
			link=${link#<}
			[[ -e Documentation/${link%>*} ]] || echo "$file: there is no Documentation/${link%>*}"
		done
}

write=''
case ${1:-} in
--write) write=1 ;;
'') ;;
*) sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
pgx_need gcc libc6-dev python3-docutils || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
build || exit 1
for file in Documentation/*.rst; do
	complain "$(page "$file" 2>&1)"
	complain "$(rst2html --strict "$file" 2>&1 > /dev/null)"
done
complain "$(words)"
complain "$(links)"
exit $status
