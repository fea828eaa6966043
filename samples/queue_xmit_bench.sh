#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What does a qdisc cost? Packets take the way that those of a local socket take.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Measure the way through the qdisc and the driver (xmit_mode queue_xmit, which is dev_queue_xmit()). A packet
	that the qdisc drops counts as an error.

	Example: the qdisc of a dummy device, two threads:
	  tc qdisc replace dev dummy0 root fq
	  $pg_name -i dummy0 -t 2
	EOF_ABOUT
}

entry() {
	pg_dev "$1" "xmit_mode queue_xmit"
	pg_dev "$1" "flag QUEUE_MAP_CPU"
}

pg_without clone "a qdisc owns its packets, so each is built for itself"
pg_without burst "a qdisc owns its packets, so each is handed over for itself"
pg_default count 10000000
pg_main "$@"
