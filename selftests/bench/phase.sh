#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: run long commands so that whoever watches always sees what is going on.

# Lines of commands may be long or carry control characters; one clean line that fits is shown. Lines with tabs are
# for programs.
phase_last_line() {
	tail -c 4000 "$1" 2> /dev/null | tr '\r' '\n' | LC_ALL=C tr -cd '[:print:]\t\n' |
		awk -v w="$2" 'NF && !/\t/ { s = $0 } END { sub(/^# /, "", s); print substr(s, 1, w) }'
}

# A terminal's one line is written anew each second.
phase_watch_tty() {
	local log=$1 title=$2 start=$3 width

	width=$(($(tput cols 2> /dev/null || echo 80) - ${#title} - 12))
	((width > 10)) || width=10
	while sleep 1 > /dev/null 2>&1; do
		printf '\r\033[K%s  %3d s  %s' "$title" $((SECONDS - start)) "$(phase_last_line "$log" "$width")"
	done
}

# A file or a pipe gets a line when there is news, or after half a minute without.
phase_watch_plain() {
	local log=$1 start=$2 line='' last='' quiet=0

	while sleep 5 > /dev/null 2>&1; do
		line=$(phase_last_line "$log" 90)
		quiet=$((quiet + 5))
		[[ $line != "$last" ]] || ((quiet >= 30)) || continue
		printf '    %3d s  %s\n' $((SECONDS - start)) "$line"
		last=$line
		quiet=0
	done
}

phase_watch() {
	trap '' INT
	if [[ -t 1 ]]; then
		phase_watch_tty "$1" "$2" "$3"
	else
		phase_watch_plain "$1" "$3"
	fi
}

phase_unwatch() {
	[[ -n ${phase_watcher:-} ]] || return 0
	kill "$phase_watcher" 2> /dev/null
	wait "$phase_watcher" 2> /dev/null
	phase_watcher=''
	[[ ! -t 1 ]] || printf '\r\033[K'
}

# phase LOG TITLE COMMAND [ARGUMENT ...]: run the command with its output in LOG; show the end of LOG when it fails.
# The command keeps the terminal as its input, for sudo may ask for a password.
phase() {
	local log=$1 title=$2 start=$SECONDS status=0

	shift 2
	: > "$log"
	[[ -t 1 ]] || echo "$title"
	phase_watch "$log" "$title" "$start" &
	phase_watcher=$!
	"$@" > "$log" 2>&1 || status=$?
	phase_unwatch
	if ((status)); then
		echo "$title: FAILED after $((SECONDS - start)) s, exit code $status. Its last lines:"
		tail -n 30 "$log" | sed 's/^/    /'
		return "$status"
	fi
	if [[ -t 1 ]]; then
		echo "$title: done, $((SECONDS - start)) s"
	else
		echo "    done, $((SECONDS - start)) s"
	fi
}
