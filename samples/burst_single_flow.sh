#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# How fast can a driver send? The same packet over and over, many at once.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send one flow per thread through the driver, with bursts: the driver gets the same packet several times in
	a row and tells the device once (xmit_more). Devices whose driver edits packets, such as veth, refuse this.

	Example: bursts of 64 without end, until Ctrl-C:
	  $pg_name -i eth0 -m 02:00:00:00:00:02 -b 64 -n 0
	EOF_ABOUT
}

entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "flag QUEUE_MAP_CPU"
}

pg_default burst 32
pg_default count 10000000
pg_main "$@"
