#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by common.sh: the options of all samples in one table, how their values are checked, and --help.

pg_name=${0##*/}

# Values by long name; what a sample does not need may stay empty. Addresses and ports are split after the check.
declare -A opt=([device]='' [threads]=1 [first]=0 [size]=60 [dest-ip]=198.18.0.42 [dest-mac]=02:50:4b:54:47:01
	[dest-port]='' [clone]='' [count]=100000 [burst]='' [delay]='' [rate]='' [ratep]='' [duration]=''
	[ipv6]='' [random]='' [append]='' [quiet]='' [verbose]='' [debug]='' [set]=''
	[proc]=${PKTGEN_PROC:-/proc/net/pktgen_ext} [dst-min]='' [dst-max]='' [port-min]='' [port-max]='')
declare -A given=([proc]=PKTGEN_PROC)	# the option as the user wrote it, by long name
declare -A pg_row=()			# row of the table of options, by option
declare -A pg_lacking=()		# why a sample does not have an option, by long name
pg_own_device=''
opt_set=()				# what --set was given, in order
pg_short='' pg_long=''			# for getopt

# Letter, long name, argument, check, help; "-" where there is none. A check is the end of a function's name, pg_check_...,
# and its limits. An array, and split by a pattern: "read" takes a system call for each byte of a pipe, which an emulated
# machine is slow at.
pg_options=(
	"i device DEV device_name network device, has to be up"
	"t threads N number:1:8192 generator threads, each on a CPU of its own"
	"f first CPU number:0:8191 CPU of the first thread"
	"s size BYTES number:42:65549 frame size, without FCS"
	"d dest-ip IP addresses destination: an IPv4 or IPv6 address, a range A-B, or a network A/LENGTH"
	"6 ipv6 - - IPv6, to 2001:2::42 where -d is not given"
	"m dest-mac MAC mac destination MAC address"
	"p dest-port PORT ports destination UDP port, or a range A-B"
	"c clone N number:0:2147483647 send each packet that often before the next one is built"
	"n count N number:0:999999999999999999 packets per thread, 0 for no end; suffixes k, M, G"
	"b burst N number:1:65536 packets that are handed over at once"
	"w delay NS time time from one burst to the next: ns, or with us, ms, s"
	"- rate MBIT number:1:1000000 Mb/s per thread"
	"- ratep PPS number:1:1000000000 packets per second per thread"
	"T duration TIME duration end after this time, such as 500ms or 10s"
	"- csum - - UDP checksums; without it only IPv6 has them"
	"- random - - take addresses and ports of ranges at random, not in order"
	"- set COMMAND text one more command for every entry, such as 'src_mac_count 8'; can be repeated"
	"a append - - add entries to those that exist, do not start"
	"- proc FOLDER folder proc folder: a name under /proc/net, or a path"
	"q quiet - - print the table of results and errors only"
	"v verbose - - say what is done"
	"x debug - - show every write to a proc file"
	"h help - - this text"
)
pg_option_pattern='^([^ ]+) ([^ ]+) ([^ ]+) ([^ ]+) (.+)$'

# pg_default NAME VALUE: the value where the user gives none
pg_default() {
	opt[$1]=$2
}

# pg_without NAME WHY: this sample has no such option
pg_without() {
	pg_lacking[$1]=$2
}

# This sample makes a dummy device where the user names none.
pg_device_optional() {
	pg_own_device=yes
}

pg_hint() {
	echo "$pg_name --help lists the options" >&2
	exit 2
}

pg_usage() {
	echo "$pg_name: $*" >&2
	pg_hint
}

# pg_refuse OPTION VALUE ALLOWED
pg_refuse() {
	pg_usage "$1 '$2': allowed is $3"
}

## Checks: OPTION VALUE [LIMIT ...]; they leave the value to use in REPLY.

pg_check_number() {
	local digits=${2%[kMG]} scale=1

	case $2 in
	*k) scale=1000 ;;
	*M) scale=1000000 ;;
	*G) scale=1000000000 ;;
	esac
	[[ $digits =~ ^[0-9]{1,18}$ ]] || pg_refuse "$1" "$2" "a number from $3 to $4, with k, M or G for short"
	((10#$digits <= $4 / scale && 10#$digits * scale >= $3)) || pg_refuse "$1" "$2" "$3 to $4"
	REPLY=$((10#$digits * scale))
}

# Nanoseconds.
pg_check_time() {
	local number=${2%%[a-z]*} scale allowed='0 to 3600s, as ns or with one of ns, us, ms, s'

	case ${2#"$number"} in
	ns | '') scale=1 ;;
	us) scale=1000 ;;
	ms) scale=1000000 ;;
	s) scale=1000000000 ;;
	*) pg_refuse "$1" "$2" "$allowed" ;;
	esac
	[[ $number =~ ^[0-9]{1,18}$ ]] || pg_refuse "$1" "$2" "$allowed"
	((10#$number <= 3600000000000 / scale)) || pg_refuse "$1" "$2" "$allowed"
	REPLY=$((10#$number * scale))
}

# A bare number would mean ns here too, and nobody wants a run of 10 ns.
pg_check_duration() {
	local allowed='a time from 1us to 3600s, with one of ns, us, ms, s'

	[[ $2 =~ ^[0-9]+(ns|us|ms|s)$ ]] || pg_refuse "$1" "$2" "$allowed"
	pg_check_time "$1" "$2"
	((REPLY >= 1000)) || pg_refuse "$1" "$2" "$allowed"
}

pg_check_device_name() {
	[[ $2 =~ ^[^[:space:]/@]{1,127}$ ]] || pg_refuse "$1" "$2" "the name of a device, without / and @"
	REPLY=$2
}

pg_check_text() {
	[[ $2 =~ [^[:space:]] ]] || pg_refuse "$1" "$2" "a command of an entry, such as 'udp_src_min 9'"
	REPLY=$2
}

pg_check_any() {
	[[ -n $2 ]] || pg_refuse "$1" "$2" "anything but nothing"
	REPLY=$2
}

pg_check_folder() {
	case $2 in
	*/pgctrl | */) pg_refuse "$1" "$2" "the folder that pgctrl is in, without a slash at its end" ;;
	/*) REPLY=$2 ;;
	'' | *[!A-Za-z0-9_.-]* | .*) pg_refuse "$1" "$2" "a name such as pktgen, or a path that begins with /" ;;
	*) REPLY=/proc/net/$2 ;;
	esac
}

pg_check_mac() {
	[[ $2 =~ ^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$ ]] || pg_refuse "$1" "$2" "a MAC address xx:xx:xx:xx:xx:xx"
	REPLY=$2
}

# pg_ip_digits ADDRESS: as hex digits in REPLY, 8 for IPv4 and 32 for IPv6, or return 1. They compare as texts do.
pg_ip_digits() {
	local i digits='([0-9]{1,3})'

	if [[ $1 == *:* ]]; then
		pg_ip6_digits "$1"
		return
	fi
	[[ $1 =~ ^$digits\.$digits\.$digits\.$digits$ ]] || return 1
	REPLY=''
	for i in 1 2 3 4; do
		((10#${BASH_REMATCH[i]} <= 255)) || return 1
		printf -v REPLY '%s%02x' "$REPLY" $((10#${BASH_REMATCH[i]}))
	done
}

pg_ip6_digits() {
	local head=$1 tail='' left right group

	[[ $1 != *[!:]: ]] || return 1
	[[ $1 != *::* ]] || head=${1%%::*} tail=${1#*::}
	IFS=: read -r -a left <<< "$head"
	IFS=: read -r -a right <<< "$tail"
	[[ $1 != *::* ]] || ((${#left[@]} + ${#right[@]} < 8)) || return 1
	while [[ $1 == *::* ]] && ((${#left[@]} + ${#right[@]} < 8)); do
		left+=(0)
	done
	((${#left[@]} + ${#right[@]} == 8)) || return 1
	REPLY=''
	for group in "${left[@]}" "${right[@]}"; do
		[[ $group =~ ^[0-9a-fA-F]{1,4}$ ]] || return 1
		printf -v REPLY '%s%04x' "$REPLY" "0x$group"
	done
}

# pg_ip_text DIGITS: as people write it
pg_ip_text() {
	if ((${#1} == 8)); then
		echo "$((16#${1:0:2})).$((16#${1:2:2})).$((16#${1:4:2})).$((16#${1:6:2}))"
	else
		echo "${1:0:4}:${1:4:4}:${1:8:4}:${1:12:4}:${1:16:4}:${1:20:4}:${1:24:4}:${1:28:4}"
	fi
}

# pg_ip_plus DIGITS N: the Nth address after it, as people write it
pg_ip_plus() {
	local low

	printf -v low '%08x' $(((16#${1: -8} + $2) & 0xffffffff))
	pg_ip_text "${1:0:-8}$low"
}

# pg_ip_network DIGITS LENGTH: its first and last address in REPLY, with a blank between
pg_ip_network() {
	local at group bits first='' last=''

	((10#$2 <= 4 * ${#1})) || return 1
	for ((at = 0; at < ${#1}; at += 4)); do
		bits=$((16 - 10#$2 + 4 * at))	# of this group, those of the host
		bits=$((bits < 0 ? 0 : bits > 16 ? 16 : bits))
		group=$((16#${1:at:4} >> bits << bits))
		printf -v first '%s%04x' "$first" "$group"
		printf -v last '%s%04x' "$last" $((group | ((1 << bits) - 1)))
	done
	REPLY="$first $last"
}

# pg_ip_range OPTION VALUE: its first and last address in REPLY, as digits, with a blank between
pg_ip_range() {
	local allowed='an IPv4 or IPv6 address, a range A-B with A not above B, or a network A/LENGTH'
	local from=${2%%[-/]*} first

	pg_ip_digits "$from" || pg_refuse "$1" "$2" "$allowed"
	first=$REPLY REPLY="$REPLY $REPLY"
	case ${2#"$from"} in
	'') ;;
	/[0-9] | /[0-9][0-9] | /1[0-9][0-9]) pg_ip_network "$first" "${2##*/}" || pg_refuse "$1" "$2" "$allowed" ;;
	-*)
		pg_ip_digits "${2#*-}" || pg_refuse "$1" "$2" "$allowed"
		[[ ${#REPLY} == "${#first}" && ! $first > $REPLY ]] || pg_refuse "$1" "$2" "$allowed"
		REPLY="$first $REPLY"
		;;
	*) pg_refuse "$1" "$2" "$allowed" ;;
	esac
}

# Whoever writes an IPv6 address means IPv6.
pg_check_addresses() {
	if [[ -n ${opt[ipv6]} && -z ${given[dest-ip]:-} && $2 != *:* ]]; then
		set -- "$1" 2001:2::42
	fi
	pg_ip_range "$1" "$2"
	opt[dst-min]=$(pg_ip_text "${REPLY% *}")
	opt[dst-max]=$(pg_ip_text "${REPLY#* }")
	if [[ $2 != *:* ]]; then
		[[ -z ${opt[ipv6]} ]] || pg_refuse "$1" "$2" "an IPv6 address, since ${given[ipv6]} is given"
	elif [[ -n ${pg_lacking[ipv6]:-} ]]; then
		pg_refuse "$1" "$2" "an IPv4 address: ${pg_lacking[ipv6]}"
	else
		opt[ipv6]=yes
	fi
	REPLY=$2
}

pg_check_choice() {
	local value

	for value in "${@:3}"; do
		[[ $2 != "$value" ]] || return 0
	done
	value=${*:3}
	pg_refuse "$1" "$2" "one of ${value// /, }"
}

# CPUs as the kernel lists them, or "all". REPLY: the numbers, with blanks between.
pg_check_cpus() {
	local online allowed list=$2 part cpu cpus=()

	online=$(< /sys/devices/system/cpu/online)
	allowed="CPUs of this system ($online) such as 0-2,5, or all"
	[[ $2 != all ]] || list=$online
	[[ $list =~ ^[0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?)*$ ]] || pg_refuse "$1" "$2" "$allowed"
	for part in ${list//,/ }; do
		for ((cpu = 10#${part%-*}; cpu <= 10#${part#*-}; cpu++)); do
			[[ -e /sys/devices/system/cpu/cpu$cpu ]] || pg_refuse "$1" "$2" "$allowed"
			cpus+=("$cpu")
		done
	done
	((${#cpus[@]})) || pg_refuse "$1" "$2" "$allowed"
	REPLY=${cpus[*]}
}

pg_check_ports() {
	local allowed='a port from 0 to 65535, or a range A-B with A not above B' from=${2%%-*} to=${2#*-}

	[[ $2 =~ ^[0-9]{1,5}(-[0-9]{1,5})?$ ]] || pg_refuse "$1" "$2" "$allowed"
	((10#$from <= 10#$to && 10#$to <= 65535)) || pg_refuse "$1" "$2" "$allowed"
	opt[port-min]=$((10#$from))
	opt[port-max]=$((10#$to))
	REPLY=$2
}

# pg_check_value CHECK OPTION VALUE
pg_check_value() {
	local check

	IFS=: read -r -a check <<< "$1"
	REPLY=$3
	"pg_check_${check[0]}" "$2" "$3" "${check[@]:1}"
}

## Parsing

pg_read_table() {
	local row letter long colon

	for row in "${pg_options[@]}"; do
		[[ $row =~ $pg_option_pattern ]]
		letter=${BASH_REMATCH[1]} long=${BASH_REMATCH[2]} colon=:
		[[ ${BASH_REMATCH[3]} != - ]] || colon=''
		pg_row[--$long]=$row
		pg_long+=,$long$colon
		opt[$long]=${opt[$long]:-}
		[[ $letter != - ]] || continue
		pg_row[-$letter]=$row
		pg_short+=$letter$colon
	done
}

pg_help_rows() {
	local row left long default

	for row in "${pg_options[@]}"; do
		[[ $row =~ $pg_option_pattern ]]
		long=${BASH_REMATCH[2]}
		[[ -z ${pg_lacking[$long]:-} ]] || continue
		left="    --$long"
		[[ ${BASH_REMATCH[1]} == - ]] || left="-${BASH_REMATCH[1]}, --$long"
		[[ ${BASH_REMATCH[3]} == - ]] || left+=" ${BASH_REMATCH[3]}"
		default=${opt[$long]:-}
		printf '  %-24s %s%s\n' "$left" "${BASH_REMATCH[5]}" "${default:+ [$default]}"
	done
}

pg_help() {
	echo "Usage: $pg_name [OPTION ...]"
	echo
	about
	echo
	echo "Options, with their defaults:"
	pg_help_rows
	exit 0
}

# pg_store OPTION VALUE; returns 1 if the option takes no value
pg_store() {
	local long arg

	[[ ${pg_row[$1]} =~ $pg_option_pattern ]]
	long=${BASH_REMATCH[2]} arg=${BASH_REMATCH[3]}
	[[ -z ${pg_lacking[$long]:-} ]] || pg_usage "$1: ${pg_lacking[$long]}"
	given[$long]=$1
	if [[ $arg == - ]]; then
		opt[$long]=yes
		return 1
	fi
	opt[$long]=$2
	if [[ $long == set ]]; then
		pg_check_text "$1" "$2"
		opt_set+=("$2")
	fi
}

# Defaults are checked like what the user gave, which also splits them.
pg_check_all() {
	local row long check

	for row in "${pg_options[@]}"; do
		[[ $row =~ $pg_option_pattern ]]
		long=${BASH_REMATCH[2]} check=${BASH_REMATCH[4]}
		[[ $check != - ]] || continue
		[[ -n ${opt[$long]} || -n ${given[$long]:-} ]] || continue
		pg_check_value "$check" "${given[$long]:---$long}" "${opt[$long]}"
		opt[$long]=$REPLY
	done
}

pg_check_together() {
	local long paces=()

	for long in delay rate ratep; do
		[[ -z ${opt[$long]} ]] || paces+=("${given[$long]}")
	done
	((${#paces[@]} <= 1)) || pg_usage "${paces[*]}: only one of these at a time"
	[[ -n ${opt[device]} || (-n $pg_own_device && -z ${opt[append]}) ]] ||
		pg_usage "-i DEV is needed: the device to use"
	# what the headers take
	[[ -z ${opt[ipv6]} || -n ${given[size]:-} ]] || ((opt[size] >= 78)) || opt[size]=78
}

pg_parse() {
	local parsed

	pg_read_table
	parsed=$(getopt -o "$pg_short" -l "${pg_long#,}" -n "$pg_name" -- "$@") || pg_hint
	eval set -- "$parsed"
	while [[ $1 != -- ]]; do
		[[ $1 != -h && $1 != --help ]] || pg_help
		if pg_store "$1" "${2-}"; then
			shift
		fi
		shift
	done
	shift
	(($# == 0)) || pg_usage "'$1': nothing is expected here but options"
	pg_check_all
	pg_check_together
	check_options
}
