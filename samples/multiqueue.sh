#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Several threads on one device, each with an entry DEV@CPU of its own and the transmit queue of its CPU.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send from several threads through the driver, each into the transmit queue of its own CPU. Source ports vary,
	so that a receiver can spread the packets too. Without -t: as many threads as the device has transmit
	queues, if there are enough CPUs.

	Example: 4 threads on CPUs 2 to 5, each for 10 seconds:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 -f 2 -t 4 -n 0 -T 10s
	EOF_ABOUT
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "flag QUEUE_MAP_CPU"
	pg_entry_ports "$1" 100
}

pg_default threads ''
pg_main "$@"
