#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Whether a kernel log ends with a fault of the emulator and not of the guest.
#
#   emulator-fault.sh LOG
#
# QEMU before 8.1 may translate a page while another CPU writes to it, and go on using what it translated; its change
# deba78709a, which locks the page first, ended that. A kernel patches its jumps by a breakpoint that it takes out
# again. A CPU that runs into the stale one stops with "int3", and the instruction in memory is none any more: of the
# bytes that the log shows, the one before that in brackets is not cc. Nothing else in a guest looks like that.
set -u

awk '
/int3: 0000 \[#1\]/ { stopped = 1 }
stopped && /Code: / {
	for (i = 2; i <= NF; i++) {
		if ($i ~ /^</) {
			at = $(i - 1)
		}
	}
	exit
}
END { exit !(at ~ /^[0-9a-f][0-9a-f]$/ && at != "cc") }' "${1:?log}"
