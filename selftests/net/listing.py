# SPDX-License-Identifier: GPL-2.0
# pgx: timeout 180
# The listing is read again and again while two threads run: no line is ever torn or missing, counters only grow.
# PGX_LISTING_READS: how many times, 10000 if nothing is said. They are shared between two readers.
import json
import os
import re
import subprocess
import sys
import time
from pgx import PG, SLOW, add_dummy, equal, finish, ok, put, read, start, write

READS = int(os.environ.get("PGX_LISTING_READS", "10000"))
SECONDS = 90 * SLOW

PIECES = {"<N>": r"\d+", "<MAC>": r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}", "<IP>": r"\d+\.\d+\.\d+\.\d+", "<NAME>": r"d\d@run"}
SETTINGS = r"""Params: count <N>  min_pkt_size: <N>  max_pkt_size: <N>
     frags: <N>  delay: <N>  clone_skb: <N>  ifname: <NAME>
     flows: <N> flowlen: <N>
     queue_map_min: <N>  queue_map_max: <N>
     dst_min: <IP>  dst_max: 
     src_min: <IP>  src_max: <IP>
     src_mac: <MAC> dst_mac: <MAC>
     udp_src_min: <N>  udp_src_max: <N>  udp_dst_min: <N>  udp_dst_max: <N>
     src_mac_count: <N>  dst_mac_count: <N>
     burst: <N>
     xmit_mode: netif_receive
     Flags: UDPSRC_RND  SHARED  
"""
CURRENT = r"""Current:
     pkts-sofar: (?P<sofar><N>)  errors: (?P<errors><N>)
     started: (?P<started><N>)us  stopped: (?P<stopped><N>)us idle: (?P<idle><N>)us
     seq_num: (?P<seq>-?<N>)  cur_dst_mac_offset: <N>  cur_src_mac_offset: <N>
     cur_saddr: (?P<saddr><IP>)  cur_daddr: <IP>
     cur_udp_dst: <N>  cur_udp_src: (?P<sport><N>)
     cur_queue_map: <N>
     flows: <N>
Result: Starting
"""


def grammar(text):
    return re.compile(re.sub("<(N|MAC|IP|NAME)>", lambda m: PIECES[m[0]], text))


GRAMMAR, RUNNING = grammar(SETTINGS + CURRENT), grammar(CURRENT)
THREAD = re.compile(r"Running: d(\d)@run \nStopped: d\1@idle \nResult: OK: add_device=d\1@run\n")


def fault_of(match, last):
    """What is wrong with one listing, given the one before; None if nothing is."""
    now = {k: int(v) for k, v in match.groupdict().items() if k not in ("saddr",)}
    for name in "sofar", "errors", "idle", "stopped":
        if last and now[name] < last[name]:
            return "%s went from %d to %d" % (name, last[name], now[name])
    if last and now["started"] != last["started"]:
        return "started changed"
    if not 7 <= now["sport"] <= 999 or not match["saddr"].startswith("10.0.0."):
        return "a current value out of its range"
    if now["stopped"] < now["started"] or now["idle"] > now["stopped"] - now["started"]:
        return "times that can not be"
    last.update(now)
    return None


def reader(device, thread, reads):
    """A process of its own: reads both files, says what it saw as one line."""
    last, wrong, done, moved, settings = {}, [], 0, 0, ""
    end = time.monotonic() + SECONDS
    fd = os.open(PG + device, os.O_RDONLY)
    while done < reads and time.monotonic() < end and not wrong:
        # now and then as cat does, else as a monitor that keeps the file open
        text = read(device) if done % 10 == 0 else os.pread(fd, 1 << 16, 0).decode()
        # the settings have to be, byte for byte, those of the first listing, which costs less than to take them apart
        match = (GRAMMAR if done == 0 else RUNNING).fullmatch(text[len(settings):])
        if done == 0:
            settings = text.split("Current:")[0]
        elif not text.startswith(settings):
            match = None
        before = last.get("sofar", 0)
        fault = fault_of(match, last) if match else "not the form of a listing"
        moved += last.get("sofar", 0) > before
        if fault:
            wrong.append("%s\n%s" % (fault, text))
        if done % 10 == 0 and not THREAD.fullmatch(read(thread)):
            wrong.append(read(thread))
        done += 1
    print(json.dumps({"reads": done, "moved": moved, "sofar": last.get("sofar"), "wrong": wrong}))


if len(sys.argv) > 1:
    reader(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    sys.exit()

for cpu in 0, 1:
    name = "d%d" % cpu
    add_dummy(name)
    put("kpktgend_%d" % cpu, "add_device %s@idle" % name, "add_device %s@run" % name)
    put(name + "@run", "count 0", "xmit_mode netif_receive", "burst 4", "src_min 10.0.0.1", "src_max 10.0.0.9",
        "dst 10.0.1.1", "pkt_size 60", "udp_src_min 7", "udp_src_max 999", "delay 100us", "flag UDPSRC_RND")
pid = os.fork()
if not pid:
    os._exit(start() != "OK")
time.sleep(0.5)
began = time.monotonic()
readers = [subprocess.Popen([sys.executable, __file__, "d%d@run" % cpu, "kpktgend_%d" % cpu, str(READS // 2)],
                            stdout=subprocess.PIPE, text=True) for cpu in (0, 1)]
seen = [json.loads(r.communicate()[0]) for r in readers]
took = time.monotonic() - began
print("# %d reads in %.1f s; %s" % (sum(s["reads"] for s in seen), took, [s["sofar"] for s in seen]))
equal("all reads were done", sum(s["reads"] for s in seen), READS // 2 * 2)
for cpu, s in enumerate(seen):
    ok("reader %d: each listing is whole and its counters only grow" % cpu, not s["wrong"], "\n".join(s["wrong"]))
    ok("reader %d: the counters did move" % cpu, s["moved"] > 10, s["moved"])
equal("stop", write("pgctrl", "stop"), "OK")
equal("start returns", os.waitpid(pid, 0)[1], 0)
ok("the files of %s say what came of it" % PG, all("Result: OK: " in read("d%d@run" % cpu) for cpu in (0, 1)),
   read("d0@run"))
finish()
