# SPDX-License-Identifier: GPL-2.0
# Everybody at once for minutes: seven of racing, and as long again to look; see race.py.
# pgx: noload
# pgx: slow
# pgx: alone
# pgx: timeout 1200
from race import main

main(420)
