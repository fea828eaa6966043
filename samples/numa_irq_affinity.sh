#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Threads on the CPUs near the network card, and the interrupts of each queue on the CPU of its thread.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send from the CPUs of the device's NUMA node, each thread into a transmit queue of its own, and have the
	interrupts of that queue handled on the same CPU. Interrupts go back to their CPUs at the end (with -a they
	stay). A device without an interrupt per queue says so and runs all the same; one that belongs to no node may
	use every CPU. -f skips that many CPUs of the node. Without -t: one thread for each queue, as far as the CPUs go.

	Example: 4 threads, each with its queue and interrupt, for 10 seconds:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 -t 4 -n 0 -T 10s
	EOF_ABOUT
}

# The CPUs of the node that have a thread.
node_cpus() {
	local node list

	node=$(cat "/sys/class/net/${opt[device]}/device/numa_node" 2> /dev/null || echo -1)
	list=/sys/devices/system/node/node$node/cpulist
	if ((node < 0)); then
		pg_warn "${opt[device]} belongs to no NUMA node: any CPU is as near as the others"
		list=/sys/devices/system/cpu/online
	fi
	pg_check_cpus "CPUs of node $node" "$(< "$list")"
	cpus=()
	for cpu in $REPLY; do
		[[ ! -e ${opt[proc]}/kpktgend_$cpu ]] || cpus+=("$cpu")
	done
}

pick_cpus() {
	local cpu cpus queues

	node_cpus
	queues=$(pg_queues "${opt[device]}" tx)
	cpus=("${cpus[@]:opt[first]}")
	opt[threads]=${opt[threads]:-$((queues < ${#cpus[@]} ? queues : ${#cpus[@]}))}
	((opt[threads] > 0 && opt[threads] <= ${#cpus[@]})) || pg_refuse "${given[threads]:--t}" "${opt[threads]}" \
		"1 to ${#cpus[@]}, the CPUs of the node${given[first]:+ behind the first ${opt[first]}}: ${cpus[*]:-none}"
	((opt[threads] <= queues)) || pg_refuse "${given[threads]:--t}" "${opt[threads]}" \
		"1 to $queues, the transmit queues of ${opt[device]}"
	pg_cpus=("${cpus[@]:0:opt[threads]}")
}

# "IRQ QUEUE" of each interrupt that belongs to a queue. Drivers end its name in the number of the queue: eth0-TxRx-3,
# virtio0-output.3, mlx5_comp3@pci:0000:01:00.0. Others are for the link and for commands. They are listed at the PCI
# device, of which a virtio device is a child.
queue_irqs() {
	local pci irq name

	pci=$(realpath "/sys/class/net/${opt[device]}/device")
	[[ -d $pci/msi_irqs ]] || pci=${pci%/*}
	for irq in "$pci"/msi_irqs/*; do
		irq=${irq##*/}
		for name in "/proc/irq/$irq"/*/; do
			name=$(basename "$name")
			[[ ${name%%@*} =~ (tx|rx|put|comp|blk|fp|queue|ring)[-._]?([0-9]+)$ ]] || continue
			echo "$irq ${BASH_REMATCH[2]} $name"
		done
	done
}

align() {
	local irq queue name found=''

	shopt -s nocasematch
	while read -r irq queue name; do
		found=yes
		((queue < opt[threads])) || continue
		if pg_write "/proc/irq/$irq/smp_affinity_list" "${pg_cpus[queue]}"; then
			echo "queue $queue: IRQ $irq ($name) on CPU ${pg_cpus[queue]}"
		else
			pg_warn "IRQ $irq ($name) stays on CPU $(< "/proc/irq/$irq/smp_affinity_list"): the kernel manages it"
		fi
	done < <(queue_irqs)
	shopt -u nocasematch
	if [[ -z $found ]]; then
		pg_warn "${opt[device]} has no interrupt per queue, so none is moved; threads run on: ${pg_cpus[*]}"
	elif [[ -n $(pidof irqbalance || true) ]]; then
		pg_warn "irqbalance is running and may move interrupts again"
	fi
}

prepare() {
	align
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "queue_map_min $3"
	pg_dev "$1" "queue_map_max $3"
	pg_entry_ports "$1" 100
}

pg_default threads ''
pg_main "$@"
