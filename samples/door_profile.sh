#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Where does the time of a packet go, on its way through each of the doors?
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=profile.sh
source "$(dirname "$(realpath "$0")")/profile.sh"

about() {
	cat <<- EOF_ABOUT
	Send through one door under perf, and show which share of the time went to the generator itself, the core of
	the transmit or receive path, the qdisc, the driver, memory, and the rest. Time in a helper that is in no group,
	such as a lock, belongs to the group that called it. What the driver leaves to other CPUs is not seen. Without
	-i it makes a dummy device and removes it after the run.

	Example: the qdisc of eth0, for 10 seconds:
	  $pg_name --door queue_xmit -i eth0 -m 02:00:00:00:00:02 -T 10s
	EOF_ABOUT
}

pg_options+=("- door DOOR choice:start_xmit:queue_xmit:netif_receive start_xmit (driver), queue_xmit (qdisc) or netif_receive")
pg_default door start_xmit
pg_main "$@"
