# SPDX-License-Identifier: GPL-2.0
"""Runs cases in Python, each in a fork of this process: the interpreter and scapy are loaded once, which takes an
emulated machine ten seconds.

Reads a line for each case: its file, its limit in seconds, where its output goes, and what to import before it, if
anything. Answers with its exit code, 124 when time was over."""
import importlib
import os
import runpy
import signal
import sys


def over(*_):
    raise TimeoutError


def end_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def supervise(pid, limit):
    """The group is the case's own; what it leaves behind goes with it, so that the reader of its output ends too."""
    signal.signal(signal.SIGALRM, over)
    signal.alarm(limit)
    try:
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except TimeoutError:
        status = 124
    signal.alarm(0)
    end_group(pid)
    if status == 124:
        os.waitpid(pid, 0)
    return status


def become(path, output):
    os.setpgid(0, 0)
    out = os.open(output, os.O_WRONLY)
    for fd in 1, 2:
        os.dup2(out, fd)
    os.close(out)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = [path]
    runpy.run_path(path, run_name="__main__")


def main():
    for line in iter(sys.stdin.readline, ""):
        path, limit, output, *modules = line.split()
        for module in modules:
            importlib.import_module(module)
        pid = os.fork()
        if not pid:
            become(path, output)
            return
        print(supervise(pid, int(limit)), flush=True)


main()
