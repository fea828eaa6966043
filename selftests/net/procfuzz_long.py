# SPDX-License-Identifier: GPL-2.0
# The fuzzer of the files for ten minutes; see procfuzz.py.
# pgx: slow
# pgx: alone
# pgx: timeout 800
from procfuzz import fuzz

fuzz(600)
