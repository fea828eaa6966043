#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Sourced by the profiles: a run through the door ${opt[door]} under perf, samples counted by groups of functions.

# shellcheck source-path=SCRIPTDIR source=common.sh
source "${BASH_SOURCE[0]%/*}/common.sh"

# The groups, most specific first: name, pattern of "FUNCTION [MODULE]". From the innermost frame of a sample outwards,
# the first frame that one of these matches decides. Frames that none matches are helpers of their caller.
common_groups() {
	cat <<- 'EOF_GROUPS'
	generator	\[pktgen(_ext)?\]|^pgx_|^ip_send_check$
	other		^(asm_)?(sysvec_|common_interrupt|exc_)|^(irq_exit|irqentry_|el1h?_|rcu_core|run_timer|schedule|__schedule)
	qdisc		^(__dev_xmit_skb|sch_direct_xmit|(__)?qdisc_|pfifo_|bfifo_|noqueue_|noop_|mq_|fq_|net_tx_action|dequeue_skb)|\[sch_
	transmit core	^((__)?dev_queue_xmit|dev_hard_start_xmit|__dev_direct_xmit|xmit_one|validate_xmit_skb|netdev_core_pick_tx)
	transmit core	^(netdev_pick_tx|netif_skb_features|passthru_features|skb_network_protocol|dev_loopback_xmit|__skb_tstamp_tx)
	driver		_(start_xmit|xmit_frame)(_ring)?$|^(start_xmit|dummy_xmit|veth_xmit|loopback_xmit)$
	drop		^(sk_skb_reason_drop|__sk_skb_reason_drop|kfree_skb($|_reason|_list|_partial)|__dev_kfree_skb)|_free_list_drop
	memory		^(___?slab|__slab|kmem_cache|__kmem_cache|kmalloc|__kmalloc|kfree($|[^_])|kvfree|ksize|slab_)
	memory		^(__|napi_)?(alloc_skb|build_skb|netdev_alloc|consume_skb|kfree_skb$|kfree_skbmem|napi_alloc|skb_clone|skb_copy)
	memory		^(skb_release_|skb_free_|page_frag|__page_frag|page_pool|__page_pool|skb_page_frag|pskb_|__pskb_|skb_put)
	memory		^(__alloc_pages|get_page_|free_unref|__free_page|put_page|__folio|mem(cpy|set|move)|__mem(cpy|set|move)|clear_page)
	memory		^(_copy_|copy_|csum_partial_copy|dma_)
	IP		^(ip6?|ipv6|ipv4|inet|__?ip6?|fib|__fib|udp|__udp|udpv6|tcp|icmp|raw|igmp|arp|neigh)_|^(nf|nft|ipt|xt|ct)_|\[nf
	receive core	receive_skb|^(enqueue_to_backlog|process_backlog|net_rx_action|__napi_poll|napi_|get_rps|rps_|deliver_skb)
	receive core	^(eth_type_trans|skb_gro|dev_gro|inet_gro|tpacket_rcv|packet_rcv|net_timestamp|skb_tx|do_xdp|xdp_|netif_)
	receive core	^(tcf_|__tcf|tcx_|sch_handle|cls_|mall_|fl_|u32_|bpf_|__bpf|br_|vlan_|__vlan)|\[(cls|act|sch|bpf)
	other		^(kthread$|ret_from_fork|smpboot|run_ksoftirqd|worker_thread|cpu_startup|start_secondary|\[unknown)
	EOF_GROUPS
}

# What is in the module of the device's own driver has the first word.
groups() {
	local driver

	driver=$(ethtool -i "${opt[device]}" 2> /dev/null | sed -n 's/^driver: //p') || true
	[[ -z $driver ]] || echo "driver	\\[${driver//-/_}\\]"
	common_groups
}

# Machines without a counter of cycles, such as most guests, have a timer.
event_name() {
	if [[ -n ${opt[event]} ]]; then
		echo "${opt[event]}"
	elif perf stat -x , -e cycles true 2>&1 | grep -q -E '^[0-9]+,'; then
		echo cycles
	else
		echo cpu-clock
	fi
}

prepare() {
	pg_need perf "a profile" linux-perf
	grep -q -m 1 -v '^00*[[:space:]]' /proc/kallsyms ||
		pg_die "/proc/kallsyms hides addresses: 'sysctl kernel.kptr_restrict=0' shows them"
	[[ -z ${opt[keep]} ]] || : > "${opt[keep]}" || pg_die "--keep ${opt[keep]}: cannot write there"
	opt[event]=$(event_name)
	pg_folder
	pg_tmp=$REPLY
}

# Recording begins with "start" and ends with the run, however long perf takes to get ready.
starter() {
	local lean=(-N -B) cpus=${pg_cpus[*]}

	# what perf report needs and this script does not
	[[ -z ${opt[keep]} ]] || lean=()
	# shellcheck disable=SC2016 # expanded by the shell that perf starts
	perf record -q -e "${opt[event]}" -F "${opt[freq]}" -g -a -C "${cpus// /,}" -o "$pg_tmp/data" "${lean[@]}" \
		-- bash -c 'echo start > "$0"' "${opt[proc]}/pgctrl" > "$pg_tmp/log" 2>&1 ||
		pg_die "perf record failed: $(head -n 2 "$pg_tmp/log")"
}

# Functions by address. perf's own table lacks modules that were loaded from no file it knows.
symbols() {
	awk '$2 ~ /^[tTwW]$/ && $3 !~ /^__pfx_|_text_(start|end)$|_thunk_(start|end)$/ { print $1, $3, $4 }' /proc/kallsyms | LC_ALL=C sort -s -k 1,1
}

# One line for each sample of the generator's threads and of ksoftirqd, which takes what they leave to it: addresses
# from the innermost frame outwards.
frames() {
	perf script -i "$pg_tmp/data" -F comm,ip 2> "$pg_tmp/log" | awk '
		/^\t/ { frames = frames " " $1; next }
		NF { ours = $1 ~ /^(kpktgend|ksoftirqd)/; frames = ""; next }
		ours && frames != "" { print frames; frames = "" }'
}

# Find the group of each sample. Output: GROUP, FUNCTION, samples.
sort_samples() {
	awk -F '\t+' '
		FILENAME == ARGV[1] { group[++groups] = $1; pattern[groups] = $2; next }
		FILENAME == ARGV[2] {
			split($0, word, " ")
			start[++n] = "x" word[1]	# a text, not a number
			name[n] = word[2] (word[3] ? " " word[3] : "")
			next
		}
		# the last function that starts before an address; a return address can be the end of its function
		function lookup(address, leaf,   low, high, middle) {
			low = 0; high = n + 1
			while (high - low > 1) {
				middle = int((low + high) / 2)
				if (start[middle] < address || leaf && start[middle] == address) low = middle
				else high = middle
			}
			return low ? name[low] : "[unknown]"
		}
		function group_of(symbol,   i) {
			if (!(symbol in known)) {
				known[symbol] = ""
				for (i = groups; i; i--) if (symbol ~ pattern[i]) known[symbol] = group[i]
			}
			return known[symbol]
		}
		{
			found = ""; count = split($0, address, " ")
			for (i = 1; i <= count && found == ""; i++) {
				key = (i == 1) address[i]
				if (!(key in symbol)) symbol[key] = lookup("x" address[i], i == 1)
				found = group_of(symbol[key])
			}
			samples[(found == "" ? "other" : found) "\t" symbol[1 address[1]]]++
		}
		END { for (key in samples) print key "\t" samples[key] }' \
		<(groups) <(symbols) <(frames)
}

# The groups that make sense for the door are shown always, the others where they have samples.
report_order() {
	case ${opt[door]} in
	netif_receive) echo 'generator,receive core,IP,memory,drop,other|qdisc,driver,transmit core' ;;
	queue_xmit) echo 'generator,transmit core,qdisc,driver,memory,other|receive core,IP,drop' ;;
	start_xmit) echo 'generator,driver,memory,other|transmit core,qdisc,receive core,IP,drop' ;;
	esac
}

# report NS-PER-PACKET
report() {
	sort -t $'\t' -k 3,3nr -k 1,2 | awk -F '\t' -v ns="$1" -v groups="$(report_order)" '
		{ total += $3; group[$1] += $3 }
		named[$1] < 3 { named[$1]++; count[$1, named[$1]] = $3; split($2, word, " "); top[$1, named[$1]] = word[1] }
		function row(name, samples, rest) {
			printf "%-14s %7.1f%% %10.1f %9d  %s\n", name, samples * 100 / total, ns * samples / total, samples, rest
		}
		END {
			if (!total) { print "no samples of the generator"; exit 1 }
			printf "%-14s %8s %10s %9s  %s\n", "where", "share", "ns/packet", "samples", "most in"
			always = split(substr(groups, 1, index(groups, "|") - 1), order, ",")
			n = split(groups, order, /[,|]/)
			for (i = 1; i <= n; i++) {
				if (i > always && !group[order[i]]) continue
				rest = ""
				for (k = 1; k <= named[order[i]]; k++)
					rest = rest sprintf("%s%s %.1f%%", k > 1 ? ", " : "", top[order[i], k], count[order[i], k] * 100 / total)
				row(order[i], group[order[i]], rest)
			}
			row("total", total, sprintf("a share is right to about +-%.1f%%", 100 / sqrt(total)))
		}'
}

check_options() {
	if [[ ${opt[door]} == netif_receive ]]; then
		opt[burst]=${opt[burst]:-1024}
		[[ -z ${given[clone]:-} ]] || pg_usage "${given[clone]}: netif_receive has no clones; -b repeats a packet"
	elif [[ ${opt[door]} == queue_xmit && -n ${given[burst]:-}${given[clone]:-} ]]; then
		pg_usage "${given[burst]:-${given[clone]}}: a qdisc owns its packets, so each is built and handed over for itself"
	fi
}

entry() {
	pg_dev "$1" "xmit_mode ${opt[door]}"
	[[ ${opt[door]} == netif_receive ]] || pg_dev "$1" "flag QUEUE_MAP_CPU"
}

after_run() {
	local ns

	if [[ ! -s $pg_tmp/data ]]; then
		pg_warn "perf recorded nothing"
		pg_status=1
		return 0
	fi
	[[ ${opt[door]} != netif_receive ]] || pg_note_drops
	ns=$(awk -v usec="$pg_usec" -v packets="$pg_packets" 'BEGIN { print packets ? usec * 1000 / packets : 0 }')
	echo
	echo "Time by place, ${opt[proc]}, ${opt[door]}, event ${opt[event]}:"
	sort_samples | report "$ns" || pg_status=1
	[[ -z ${opt[keep]} ]] || cp "$pg_tmp/data" "${opt[keep]}"
}

pg_options+=(
	"- freq HZ number:1:50000 samples a second"
	"- event EVENT any what perf counts; without it cycles, or cpu-clock where there is no such counter"
	"- keep FILE any leave the recording there, for perf report"
)
pg_device_optional
pg_without append "a profile needs a run"
pg_default count 0
pg_default duration 5s
pg_default freq 999
