#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by every case: KTAP lines, the proc files, devices and namespaces that clean up after themselves.
#
# The runner exports PGX_KO (the module) and PGX_TOP (the tree).

PG=/proc/net/pktgen_ext
TMP=$(mktemp -d)
checks=0 failures=0
cleanups=()

later() {
	cleanups+=("$*")
}

at_exit() {
	local i

	for ((i = ${#cleanups[@]} - 1; i >= 0; i--)); do
		eval "${cleanups[i]}" > /dev/null 2>&1
	done
	rm -rf "$TMP"
}
trap at_exit EXIT

echo "KTAP version 1"

ok() {
	echo "ok $((++checks)) $1"
}

fail() {
	echo "not ok $((++checks)) $1"
	((++failures))
	[[ -z ${2:-} ]] || echo "# ${2//$'\n'/$'\n'# }"
}

skip() {
	echo "ok $((++checks)) $1 # SKIP $2"
}

# is DESCRIPTION GOT WANT
is() {
	if [[ $2 == "$3" ]]; then ok "$1"; else fail "$1" "got:  $2"$'\n'"want: $3"; fi
}

# like DESCRIPTION GOT REGEX
like() {
	if [[ $2 =~ $3 ]]; then ok "$1"; else fail "$1" "got:  $2"$'\n'"like: $3"; fi
}

# check DESCRIPTION COMMAND...
check() {
	local description=$1 output

	shift
	if output=$("$@" 2>&1); then ok "$description"; else fail "$description" "failed: $*"$'\n'"$output"; fi
}

finish() {
	echo "1..$checks"
	exit $((failures > 0))
}

# wait_until SECONDS COMMAND...: look again and again, for a bounded time; longer on a kernel that is slow by itself
wait_until() {
	local end=$((SECONDS + $1 * ${PGX_SLOW:-1}))

	shift
	until "$@" > /dev/null 2>&1; do
		((SECONDS <= end)) || return 1
		sleep 0.05
	done
}

errno_name() {
	case $1 in
	'') echo OK ;;
	*'Invalid argument'*) echo EINVAL ;;
	*'Device or resource busy'*) echo EBUSY ;;
	*'No such device'*) echo ENODEV ;;
	*'Operation not supported'*) echo EOPNOTSUPP ;;
	*'Numerical result out of range'*) echo ERANGE ;;
	*'Operation not permitted'*) echo EPERM ;;
	*'Permission denied'*) echo EACCES ;;
	*'Network is down'*) echo ENETDOWN ;;
	*'Argument list too long'*) echo E2BIG ;;
	*'No such file or directory'*) echo ENOENT ;;
	*'Input/output error'*) echo EIO ;;
	*'Bad address'*) echo EFAULT ;;
	*) echo "$1" ;;
	esac
}

# try FILE TEXT: write TEXT and a newline in one go, print OK or the name of the error
try() {
	errno_name "$({ printf '%s\n' "$2" > "$PG/$1"; } 2>&1)"
}

# put FILE LINE...: write lines that must be taken
put() {
	local file=$1 line rc

	shift
	for line; do
		rc=$(try "$file" "$line")
		[[ $rc == OK ]] || fail "write of '$line' to $file" "$rc, $(result "$file")"
	done
}

# result FILE: all that stands after "Result: "
result() {
	sed -n '/^Result: /,$ { s/^Result: //; p }' "$PG/$1"
}

# value FILE WORD: the word that follows WORD in the listing
value() {
	grep -o -- "$2 [^ ]*" "$PG/$1" | head -n 1 | cut -d ' ' -f 2
}

sofar() {
	value "$1" pkts-sofar:
}

start() {
	echo start > "$PG/pgctrl"
}

rx_packets() {
	cat "/sys/class/net/$1/statistics/rx_packets"
}

tx_packets() {
	cat "/sys/class/net/$1/statistics/tx_packets"
}

# Devices without the chatter of IPv6, so that counters show our packets alone.
add_dummy() {
	ip link add "$1" "${@:2}" type dummy
	later "ip link del $1"
	sysctl -qw "net.ipv6.conf.$1.disable_ipv6=1"
	ip link set "$1" up
}

add_veth() {
	ip link add "$1" type veth peer name "$2"
	later "ip link del $1"
	sysctl -qw "net.ipv6.conf.$1.disable_ipv6=1" "net.ipv6.conf.$2.disable_ipv6=1"
	ip link set "$1" up
	ip link set "$2" up
	wait_until 5 grep -q 1 "/sys/class/net/$1/carrier"
}

load() {
	insmod "$PGX_KO" "$@"
}

unload() {
	rmmod pktgen_ext
}
