#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# One flow from one thread, through the driver's transmit function.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send one flow from one thread through the driver (xmit_mode start_xmit).

	Example: 1 million packets of 60 byte, 100,000 a second, to a neighbour:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 -d 198.18.0.42 -n 1M --ratep 100000
	EOF_ABOUT
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
}

pg_without threads "this sample has one thread; multiqueue.sh has more"
pg_main "$@"
