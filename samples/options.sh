#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by common.sh: the options of all samples in one table, how their values are checked, and --help.

pg_name=${0##*/}

# Values by long name; what a sample does not need may stay empty. Addresses and ports are split after the check.
declare -A opt=([device]='' [threads]=1 [first]=0 [size]=60 [dest-ip]=198.18.0.42 [dest-mac]=02:50:4b:54:47:01
	[dest-port]='' [clone]='' [count]=100000 [burst]='' [delay]='' [rate]='' [ratep]='' [duration]=''
	[random]='' [append]='' [quiet]='' [verbose]='' [debug]='' [proc]=${PKTGEN_PROC:-/proc/net/pktgen_ext}
	[set]='' [dst-min]='' [dst-max]='' [port-min]='' [port-max]='')
declare -A given=([proc]=PKTGEN_PROC)	# the option as the user wrote it, by long name
declare -A pg_row=()			# row of the table of options, by option
declare -A pg_lacking=()		# why a sample does not have an option, by long name
pg_own_device=''
opt_set=()				# what --set was given, in order
pg_short='' pg_long=''			# for getopt

# Letter, long name, argument, check, help; "-" where there is none. An array, and split by a pattern: "read" takes a
# system call for each byte of a pipe, which an emulated machine is slow at.
pg_options=(
	"i device DEV device network device, has to be up"
	"t threads N number:1:8192 generator threads, each on a CPU of its own"
	"f first CPU number:0:8191 CPU of the first thread"
	"s size BYTES number:42:65549 frame size, without FCS"
	"d dest-ip IP addresses destination: an address, a range A-B, or a network A/LENGTH"
	"m dest-mac MAC mac destination MAC address"
	"p dest-port PORT ports destination UDP port, or a range A-B"
	"c clone N number:0:2147483647 send each packet that often before the next one is built"
	"n count N number:0:999999999999999999 packets per thread, 0 for no end; suffixes k, M, G"
	"b burst N number:1:65536 packets that are handed over at once"
	"w delay NS time time from one burst to the next: ns, or with us, ms, s"
	"- rate MBIT number:1:1000000 Mb/s per thread"
	"- ratep PPS number:1:1000000000 packets per second per thread"
	"T duration TIME duration end after this time, such as 500ms or 10s"
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

# pg_ip_number IP: as a number in REPLY, or return 1
pg_ip_number() {
	local i digits='([0-9]{1,3})'

	[[ $1 =~ ^$digits\.$digits\.$digits\.$digits$ ]] || return 1
	REPLY=0
	for i in 1 2 3 4; do
		((10#${BASH_REMATCH[i]} <= 255)) || return 1
		REPLY=$((REPLY << 8 | 10#${BASH_REMATCH[i]}))
	done
}

pg_ip_text() {
	echo "$(($1 >> 24)).$(($1 >> 16 & 255)).$(($1 >> 8 & 255)).$(($1 & 255))"
}

pg_check_addresses() {
	local allowed='an IPv4 address, a range A-B with A not above B, or a network A/0 to A/32'
	local from=${2%%[-/]*} to=${2#*-} first last length

	pg_ip_number "$from" || pg_refuse "$1" "$2" "$allowed"
	first=$REPLY last=$REPLY
	if [[ $2 =~ ^[0-9.]+/([0-9]{1,2})$ ]]; then
		length=$((10#${BASH_REMATCH[1]}))
		((length <= 32)) || pg_refuse "$1" "$2" "$allowed"
		first=$((first & ~((1 << (32 - length)) - 1)))
		last=$((first | ((1 << (32 - length)) - 1)))
	elif [[ $2 != "$from" ]]; then
		[[ $2 == "$from-$to" ]] || pg_refuse "$1" "$2" "$allowed"
		pg_ip_number "$to" || pg_refuse "$1" "$2" "$allowed"
		last=$REPLY
	fi
	((first <= last)) || pg_refuse "$1" "$2" "$allowed"
	opt[dst-min]=$(pg_ip_text "$first")
	opt[dst-max]=$(pg_ip_text "$last")
	REPLY=$2
}

pg_check_ports() {
	local allowed='a port from 0 to 65535, or a range A-B with A not above B' from=${2%%-*} to=${2#*-}

	[[ $2 =~ ^[0-9]{1,5}(-[0-9]{1,5})?$ ]] || pg_refuse "$1" "$2" "$allowed"
	((10#$from <= 10#$to && 10#$to <= 65535)) || pg_refuse "$1" "$2" "$allowed"
	opt[port-min]=$((10#$from))
	opt[port-max]=$((10#$to))
	REPLY=$2
}

pg_check_value() {
	local limits

	IFS=: read -r -a limits <<< "$1"
	case ${limits[0]} in
	number) pg_check_number "$2" "$3" "${limits[1]}" "${limits[2]}" ;;
	time) pg_check_time "$2" "$3" ;;
	duration) pg_check_duration "$2" "$3" ;;
	device) pg_check_device_name "$2" "$3" ;;
	addresses) pg_check_addresses "$2" "$3" ;;
	mac) pg_check_mac "$2" "$3" ;;
	ports) pg_check_ports "$2" "$3" ;;
	text) pg_check_text "$2" "$3" ;;
	folder) pg_check_folder "$2" "$3" ;;
	any) pg_check_any "$2" "$3" ;;
	esac
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
}
