#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by every sample: options, the proc files, one run from start to results, cleanup.
#
# A sample defines
#	about                 prints what it does and an example, for --help
#	entry NAME CPU INDEX  writes what is special about it to the proc file of one entry, that of the INDEXth thread
# and may define
#	check_options         refuses values that do not go together, and fills in those that depend on others
#	own_namespace ARG...  starts the script again where it shall run; its arguments are those of the script
#	make_device           makes the device (default: a dummy, where pg_device_optional is said and -i is not)
#	pick_cpus             puts the CPU of each thread into pg_cpus (default: -t of them from -f on)
#	prepare               gets ready, when the module is there and no entry yet
#	measure               runs and prints results (default: one run and its table)
#	starter               starts the run and returns when it is over (default: pgctrl start)
#	after_run             what else to print when the results are out
# It sets defaults with pg_default, adds rows to pg_options, takes options away with pg_without, and ends with: pg_main "$@"
#
# What it changes about the system it takes back with pg_later, in the line after.
#
# Environment: PKTGEN_PROC, the proc folder where --proc is not given.

pg_here=${BASH_SOURCE[0]%/*}	# whole, as the samples name it
# shellcheck source-path=SCRIPTDIR source=options.sh
source "$pg_here/options.sh"

pg_added=()		# "CPU NAME" of each entry that this script added
pg_starter=''		# process that runs until the generator is done
pg_stopped=''		# why the run was cut short: a signal's name, or "limit"
pg_limit=''		# seconds after which this script stops the run, where the generator has no duration
pg_keep=''		# entries stay when the script ends
pg_undo=()		# commands that take back what was done, the last one first
pg_cpus=()		# CPU of each thread
pg_rows=''		# results of the last run, a line for each entry
pg_packets=0 pg_usec=0 pg_errors=0	# sums of these
pg_status=0

## Messages: the results alone go to standard output.

pg_die() {
	echo "$pg_name: $*" >&2
	exit 1
}

pg_warn() {
	[[ -n ${opt[quiet]} ]] || echo "$pg_name: $*" >&2
}

pg_info() {
	[[ -z ${opt[verbose]} ]] || echo "# $*" >&2
}

## What is taken back at the end

# pg_later COMMAND [ARGUMENT...]
pg_later() {
	pg_undo+=("$(printf '%q ' "$@")")
}

# In a trap, so nothing here may end the script.
pg_undo_all() {
	local i

	for ((i = ${#pg_undo[@]} - 1; i >= 0; i--)); do
		pg_info "taking back: ${pg_undo[i]}"
		eval "${pg_undo[i]}" || pg_warn "failed: ${pg_undo[i]}"
	done
	pg_undo=()
}

# pg_write FILE VALUE: another value for a setting of the kernel, until the end
pg_write() {
	local old

	old=$(< "$1")
	pg_put "$1" "$2" || return
	pg_later pg_put "$1" "$old"
}

pg_put() {
	{ printf '%s\n' "$2" > "$1"; } 2> /dev/null
}

# pg_until SECONDS COMMAND...: look again and again, for a bounded time
pg_until() {
	local end=$((SECONDS + $1))

	shift
	until "$@" > /dev/null 2>&1; do
		((SECONDS < end)) || return 1
		sleep 0.1
	done
}

# A folder for files that do not outlive the script, in REPLY.
pg_folder() {
	REPLY=$(mktemp -d)
	pg_later rm -rf "$REPLY"
}

# pg_need COMMAND WHAT-FOR PACKAGE
pg_need() {
	command -v "$1" > /dev/null || pg_die "there is no $1, which this needs for $2: on Debian it is in the package $3"
}

## The proc files

# All of the text after "Result: ", on one line, in REPLY. Without a process of its own: this is called often.
pg_result_text() {
	local lines=() text

	[[ ! -e ${opt[proc]}/$1 ]] || mapfile -t lines < "${opt[proc]}/$1"
	text=${lines[*]}
	REPLY=''
	[[ $text != *Result:\ * ]] || REPLY=${text##*Result: }
}

# pg_try FILE COMMAND: write one command. If that fails, say why in REPLY and return 1.
pg_try() {
	local error

	[[ -z ${opt[debug]} ]] || echo "# $1 < $2" >&2
	error=$({ printf '%s\n' "$2" > "${opt[proc]}/$1"; } 2>&1) && return 0
	REPLY=${error##*: }
	# ENOTSUPP, an error number that should not have left the kernel and has no text
	[[ $REPLY != *524 ]] || REPLY="Operation not supported"
	return 1
}

# pg_failed FILE COMMAND WHY: die, with the text that the file answered, unless that is the answer to an earlier command
pg_failed() {
	local what="$1: '$2' failed: $3"

	pg_result_text "$1"
	[[ -z $REPLY || $REPLY == OK:* || $REPLY == NA ]] || what+=" ($REPLY)"
	pg_die "$what"
}

# Old generators cut long numbers and answer OK with what is left.
pg_same_number() {
	local word=${1%% *} value=${1##* }

	[[ $value =~ ^[0-9]+$ && $2 =~ ^OK:\ $word=([0-9]+)$ ]] || return 0
	((10#$value == 10#${BASH_REMATCH[1]}))
}

# Some refusals do not fail the write, so the answer is looked at too.
pg_set() {
	pg_try "$1" "$2" || pg_failed "$1" "$2" "$REPLY"
	pg_result_text "$1"
	[[ $REPLY == OK:* ]] || pg_die "$1: '$2' was refused: $REPLY"
	pg_same_number "$2" "$REPLY" || pg_die "$1: '$2' was understood as '${REPLY#OK: }'"
}

# pg_ctrl COMMAND: start, stop, reset. There is no Result for these.
pg_ctrl() {
	pg_try pgctrl "$1" || pg_die "pgctrl: '$1' failed: $REPLY"
}

# pg_thread CPU COMMAND
pg_thread() {
	pg_set "kpktgend_$1" "$2"
}

# pg_dev ENTRY COMMAND
pg_dev() {
	pg_set "$1" "$2"
}

# pg_listed RUNNING-OR-STOPPED [CPU]: names of entries, one a line
pg_listed() {
	local files=("${opt[proc]}"/kpktgend_*)

	[[ -z ${2:-} ]] || files=("${opt[proc]}/kpktgend_$2")
	awk -v head="^($1):\$" '$1 ~ head { for (i = 2; i <= NF; i++) print $i }' "${files[@]}" 2> /dev/null || true
}

## Before the run

pg_check_root() {
	((EUID == 0)) || pg_die "needs root: run it with sudo, or as root"
}

# What was built beside the samples comes before what is installed.
pg_load_ext() {
	local name=$1 built=$pg_here/../pktgen_ext.ko error=''

	if [[ -d /sys/module/pktgen_ext ]]; then
		error=$(cat /sys/module/pktgen_ext/parameters/proc_name 2> /dev/null || true)
		pg_die "pktgen_ext is loaded with proc_name=${error:-?}, so there is no ${opt[proc]}:" \
			"give its folder with --proc"
	fi
	if [[ -e $built ]]; then
		error=$(insmod "$built" proc_name="$name" 2>&1) && return 0
		pg_warn "$(realpath "$built"): $error"
	fi
	modprobe -q pktgen_ext proc_name="$name" 2> /dev/null ||
		pg_die "cannot load pktgen_ext: build it with 'make' in $(realpath "$pg_here/..")," \
			"or use the kernel's own generator with --proc pktgen"
}

pg_load() {
	[[ ! -e ${opt[proc]}/pgctrl ]] || return 0
	[[ ${opt[proc]%/*} == /proc/net ]] || pg_die "${given[proc]} ${opt[proc]}: no pgctrl in there"
	pg_info "loading the module of ${opt[proc]}"
	if [[ ${opt[proc]##*/} == pktgen ]]; then
		modprobe pktgen || pg_die "cannot load pktgen: this kernel seems to come without it"
	else
		pg_load_ext "${opt[proc]##*/}"
	fi
	[[ -e ${opt[proc]}/pgctrl ]] || pg_die "the module is loaded, but there is no ${opt[proc]}/pgctrl"
}

# For samples that need any device at all, not a certain one.
make_device() {
	[[ -z ${opt[device]} ]] || return 0
	opt[device]=pgx$$
	pg_add_dummy "${opt[device]}"
	pg_info "using dummy device ${opt[device]}, until the end of this run"
}

# pg_add_dummy NAME [ARGUMENT OF ip-link...]: up, until the end
pg_add_dummy() {
	pg_need ip "a dummy device" iproute2
	ip link add name "$@" type dummy || pg_die "cannot make a dummy device"
	pg_later ip link del dev "$1"
	ip link set dev "$1" up
}

pg_check_device() {
	local dev=${opt[device]} sys=/sys/class/net/${opt[device]}

	if [[ ! -e $sys ]]; then
		# an alternative name is known to ip alone, and the generator knows it too
		ip link show dev "$dev" > /dev/null 2>&1 ||
			pg_refuse "${given[device]:--i}" "$dev" "a device of this system: $(cd /sys/class/net && echo *)"
		return 0
	fi
	(($(< "$sys/flags") & 1)) || pg_die "${given[device]:--i} $dev: is down; 'ip link set dev $dev up' brings it up"
	pg_check_frame "$(< "$sys/mtu")"
}

pg_check_frame() {
	local max=$(($1 + 14))

	((opt[size] <= max)) || pg_refuse "${given[size]:--s}" "${opt[size]}" \
		"42 to $max (the MTU of ${opt[device]}, $1, and the Ethernet header)"
}

# pg_queues DEV tx-or-rx: how many queues it has
pg_queues() {
	find -L "/sys/class/net/$1/queues" -maxdepth 1 -name "$2-*" 2> /dev/null | wc -l
}

# Every queue has a thread of its own, if there are enough CPUs.
pg_threads_by_queues() {
	local queues cpus

	[[ -z ${opt[threads]} ]] || return 0
	queues=$(pg_queues "${opt[device]}" tx)
	cpus=$(find "${opt[proc]}" -maxdepth 1 -name 'kpktgend_*' | wc -l)
	cpus=$((cpus > opt[first] ? cpus - opt[first] : 1))
	opt[threads]=$((queues < 1 ? 1 : queues < cpus ? queues : cpus))
	pg_info "${opt[threads]} threads for $queues transmit queues"
}

pick_cpus() {
	local cpu

	pg_threads_by_queues
	for ((cpu = opt[first]; cpu < opt[first] + opt[threads]; cpu++)); do
		pg_cpus+=("$cpu")
	done
}

pg_check_threads() {
	local cpu

	for cpu in "${pg_cpus[@]}"; do
		[[ -e ${opt[proc]}/kpktgend_$cpu ]] || pg_die "-f ${opt[first]} -t ${opt[threads]}: no thread for" \
			"CPU $cpu, there are: $(cd "${opt[proc]}" && echo kpktgend_*)"
	done
}

# "start" starts all entries, so those of somebody else would take part.
pg_check_alone() {
	local others

	[[ -z ${opt[append]} ]] || return 0
	others=$(pg_listed 'Running|Stopped')
	[[ -z $others ]] || pg_die "in use: ${others//$'\n'/ }. Remove these with" \
		"'echo reset > ${opt[proc]}/pgctrl', or add to them with -a"
}

## Settings of an entry

pg_entry_pace() {
	[[ -z ${opt[delay]} ]] || pg_dev "$1" "delay ${opt[delay]}"
	[[ -z ${opt[rate]} ]] || pg_dev "$1" "rate ${opt[rate]}"
	[[ -z ${opt[ratep]} ]] || pg_dev "$1" "ratep ${opt[ratep]}"
}

pg_entry_random() {
	[[ -n ${opt[random]} ]] || return 0
	pg_dev "$1" "flag IPDST_RND"
	pg_dev "$1" "flag UDPDST_RND"
}

# pg_entry_range NAME src-or-dst FIRST LAST: IPv4 or IPv6 addresses
pg_entry_range() {
	local word=$2

	if [[ $3 == *:* && $3 == "$4" ]]; then
		pg_dev "$1" "${word}6 $3"
		return
	fi
	[[ $3 != *:* ]] || word+=6
	pg_dev "$1" "${word}_min $3"
	pg_dev "$1" "${word}_max $4"
}

pg_entry_flow() {
	pg_dev "$1" "dst_mac ${opt[dest-mac]}"
	pg_entry_range "$1" dst "${opt[dst-min]}" "${opt[dst-max]}"
	if [[ -n ${opt[dest-port]} ]]; then
		pg_dev "$1" "udp_dst_min ${opt[port-min]}"
		pg_dev "$1" "udp_dst_max ${opt[port-max]}"
	fi
	pg_entry_random "$1"
}

# Source ports that vary, so that receivers can spread packets.
pg_entry_ports() {
	pg_dev "$1" "udp_src_min 1024"
	pg_dev "$1" "udp_src_max $((1023 + $2))"
	pg_dev "$1" "flag UDPSRC_RND"
}

# Where the generator knows no duration, this script stops the run.
pg_entry_duration() {
	[[ -n ${opt[duration]} ]] || return 0
	pg_try "$1" "duration ${opt[duration]}" && return 0
	pg_result_text "$1"
	[[ $REPLY == "No such parameter"* ]] || pg_set "$1" "duration ${opt[duration]}"
	pg_limit=$(awk -v ns="${opt[duration]}" 'BEGIN { printf "%.3f", ns / 1e9 }')
}

pg_entry_base() {
	local command

	pg_dev "$1" "count ${opt[count]}"
	[[ -z ${opt[size]} ]] || pg_dev "$1" "pkt_size ${opt[size]}"
	pg_dev "$1" "flag NO_TIMESTAMP"
	[[ -z ${opt[csum]} ]] || pg_dev "$1" "flag UDPCSUM"
	[[ -z ${opt[clone]} ]] || pg_dev "$1" "clone_skb ${opt[clone]}"
	[[ -z ${opt[burst]} ]] || pg_dev "$1" "burst ${opt[burst]}"
	pg_entry_pace "$1"
	pg_entry_flow "$1"
	pg_entry_duration "$1"
	for command in "${opt_set[@]}"; do
		pg_dev "$1" "$command"
	done
}

pg_configure() {
	local cpu name

	for cpu in "${pg_cpus[@]}"; do
		name=${opt[device]}@$cpu
		pg_thread "$cpu" "add_device $name"
		pg_added+=("$cpu $name")
		entry "$name" "$cpu" $((${#pg_added[@]} - 1))
		pg_entry_base "$name"
		pg_info "$name on kpktgend_$cpu is ready"
	done
}

## The run

starter() {
	pg_ctrl start
}

check_options() {
	:
}

own_namespace() {
	:
}

prepare() {
	:
}

after_run() {
	:
}

pg_alive() {
	kill -0 "$1" 2> /dev/null
}

pg_on_signal() {
	# the second one does not wait for the generator
	[[ -n $pg_starter && -z $pg_stopped ]] || exit $((128 + $(kill -l "$1")))
	pg_stopped=$1
}

# The limit counts from the first packet: what starter does before that can take long.
pg_wait_running() {
	while [[ -z $pg_stopped && -z $(pg_listed Running) ]] && pg_alive "$pg_starter"; do
		sleep 0.1 || true
	done
}

# "stop" is repeated, since it has no effect on a run that is about to start.
pg_wait() {
	local timer=''

	if [[ -n $pg_limit ]]; then
		pg_wait_running
		sleep "$pg_limit" &
		timer=$!
	fi
	while pg_alive "$pg_starter"; do
		if [[ -n $pg_stopped ]]; then
			pg_try pgctrl stop || true
			sleep 0.5 &
			timer=$!
		fi
		wait -n "$pg_starter" ${timer:+"$timer"} || true
		[[ -z $timer || -n $pg_stopped ]] || pg_alive "$timer" || pg_stopped=limit
	done
	[[ -z $timer ]] || kill "$timer" 2> /dev/null || true
}

# In the background, so that a signal is handled while the write is still waiting for the run.
pg_run() {
	pg_stopped=''
	starter &
	pg_starter=$!
	pg_wait
	pg_starter=''
}

## Results

# pg_result ENTRY: packets, usec, packets per second, bits per second, errors of its last run
pg_result() {
	awk '/^Result: OK: [0-9]+\(c/ { split($3, usec, "("); packets = $5; found = 1; next }
		found { sub(/pps/, "", $1); gsub(/[^0-9]/, "", $3); print packets, usec[1], $1, $3, $5; exit }
		END { exit !found }' "${opt[proc]}/$1" 2> /dev/null
}

# pg_complete PACKETS USEC: whether a run got as far as it was told to
pg_complete() {
	(($1 > 0)) || return 1
	[[ -z $pg_stopped ]] || return 0
	((opt[count] == 0 || $1 < opt[count])) || return 0
	# a little less, for the generator's clock is not ours
	[[ -n ${opt[duration]} ]] && (($2 * 10000 >= opt[duration] * 9))
}

pg_judge() {
	pg_complete "$2" "$3" && return 0
	pg_warn "$1: sent $2 packets in $3 us, less than asked for; is ${opt[device]} up, with carrier?"
	pg_status=1
}

pg_table() {
	local added width=12

	for added in "${pg_added[@]#* }"; do
		width=$((${#added} > width ? ${#added} : width))
	done
	awk -v width="$width" 'function row(name, packets, usec, cpu, pps, bps, errors) {
			printf "%-" width "s %14.0f %12.0f %12.0f %10s %10.1f %12.0f\n", name, packets, usec, pps,
				packets ? sprintf("%.1f", cpu * 1000 / packets) : "-", bps / 1e6, errors
		}
		BEGIN { printf "%-" width "s %14s %12s %12s %10s %10s %12s\n",
			"entry", "packets", "usec", "pps", "ns/packet", "Mb/s", "errors" }
		{ row($1, $2, $3, $3, $4, $5, $6) }
		{ packets += $2; cpu += $3; pps += $4; bps += $5; errors += $6; if ($3 > usec) usec = $3 }
		END { row("total", packets, usec, cpu, pps, bps, errors) }'
}

# The results of all entries, into pg_rows and the sums.
pg_collect() {
	local added name result fields

	pg_rows='' pg_packets=0 pg_usec=0 pg_errors=0
	for added in "${pg_added[@]}"; do
		name=${added#* }
		if ! result=$(pg_result "$name"); then
			pg_result_text "$name"
			pg_warn "$name: did not run to a result; its file says: ${REPLY:-nothing, it is gone}"
			pg_status=1
			continue
		fi
		read -r -a fields <<< "$result"
		pg_judge "$name" "${fields[0]}" "${fields[1]}"
		pg_packets=$((pg_packets + fields[0]))
		pg_usec=$((pg_usec + fields[1]))
		pg_errors=$((pg_errors + fields[4]))
		pg_rows+="$name $result"$'\n'
	done
}

pg_results() {
	[[ -z $pg_rows ]] || printf %s "$pg_rows" | pg_table
}

measure() {
	pg_run
	pg_collect
	pg_results
}

# For after_run of samples that send into the receive path.
pg_note_drops() {
	((pg_errors == 0)) || pg_warn "errors are packets that the stack dropped; those for the MAC of somebody" \
		"else are dropped early in ip_rcv()"
}

## After the run

# pg_others CPU: entries of a thread that somebody else added
pg_others() {
	pg_listed 'Running|Stopped' "$1" | grep -v -x -F -e "$(printf '%s\n' "${pg_added[@]#* }")" || true
}

# One by one where the generator can do that, else the whole thread if it is ours alone. In a trap a bare "return" would
# give the status from before the trap.
pg_remove() {
	local cpu=$1 name=$2

	[[ -e ${opt[proc]}/$name ]] || return 0
	pg_try "kpktgend_$cpu" "rem_device $name" && return 0
	if [[ -z $(pg_others "$cpu") ]]; then
		pg_try "kpktgend_$cpu" rem_device_all && return 0
	fi
	pg_warn "$name stays on kpktgend_$cpu"
}

pg_stop() {
	pg_stopped=${pg_stopped:-exit}
	pg_limit=''
	pg_wait
}

pg_cleanup() {
	local added

	trap - EXIT
	trap '' INT TERM HUP
	[[ -z $pg_starter ]] || pg_stop
	if [[ -z $pg_keep ]]; then
		for added in "${pg_added[@]}"; do
			pg_remove "${added%% *}" "${added#* }"
		done
	fi
	[[ -n $pg_keep ]] || pg_undo_all
}

pg_traps() {
	local signal

	trap pg_cleanup EXIT
	for signal in INT TERM HUP; do
		# shellcheck disable=SC2064 # the name is that of now
		trap "pg_on_signal $signal" "$signal"
	done
}

# Ctrl-C is how an endless run ends; anything else that is cut short says so by its exit code.
pg_exit_status() {
	if [[ $pg_stopped == INT && ${opt[count]} == 0 && -z ${opt[duration]} ]] ||
		[[ -z $pg_stopped || $pg_stopped == limit ]]; then
		return "$pg_status"
	fi
	return $((128 + $(kill -l "$pg_stopped")))
}

pg_main() {
	pg_parse "$@"
	pg_check_root
	own_namespace "$@"
	pg_traps
	pg_load
	make_device
	pg_check_device
	pick_cpus
	pg_check_threads
	pg_check_alone
	prepare
	pg_configure
	if [[ -n ${opt[append]} ]]; then
		pg_keep=yes
		pg_warn "added ${#pg_added[@]} entries; start with: echo start > ${opt[proc]}/pgctrl"
		return 0
	fi
	pg_warn "running on ${opt[threads]} thread(s) of ${opt[proc]}; Ctrl-C stops the run and shows its results"
	measure
	after_run
	pg_exit_status
}
