#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What does the receive path cost? Packets enter the stack as if the device had received them.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Measure the receive path above the driver (xmit_mode netif_receive): no hardware, no sender. Unless -m is the
	device's own MAC address, ip_rcv() drops the packets, and a packet costs what it takes to get there: with the
	taps, the tc ingress filters and the XDP programs that the device has. Without -i it makes a dummy device and
	removes it after the run.

	Example: the cost of a filter, on two CPUs:
	  tc qdisc add dev dummy0 clsact; tc filter add dev dummy0 ingress matchall action drop
	  $pg_name -i dummy0 -t 2
	EOF_ABOUT
}

entry() {
	pg_dev "$1" "xmit_mode netif_receive"
}

after_run() {
	pg_note_drops
}

pg_device_optional
pg_without clone "netif_receive has no clones; -b repeats a packet"
pg_default burst 1024
pg_default count 10000000
pg_main "$@"
