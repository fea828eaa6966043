# SPDX-License-Identifier: GPL-2.0
# Every CPU busy for ten minutes; see limits.py.
# pgx: noload
# pgx: slow
# pgx: alone
# pgx: timeout 800
from limits import all_busy
from pgx import add_dummy, finish, insert, sh

insert()
add_dummy("d0")
all_busy(600)
sh("rmmod pktgen_ext")
finish()
