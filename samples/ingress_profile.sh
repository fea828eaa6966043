#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Where does the time of a received packet go? perf samples an ingress run; samples are counted by groups of functions.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=profile.sh
source "$(dirname "$(realpath "$0")")/profile.sh"

about() {
	cat <<- EOF_ABOUT
	Run an ingress test (as ingress_bench.sh) under perf, and show which share of the time went to the generator
	itself, the core of the receive path, IP, memory, drop, and the rest. Time in a helper that is in no group,
	such as a lock, belongs to the group that called it.

	Example: 10 seconds of bursts of 32, the kernel's own generator:
	  $pg_name --proc pktgen -b 32 -T 10s
	EOF_ABOUT
}

pg_default door netif_receive
pg_main "$@"
