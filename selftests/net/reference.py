# SPDX-License-Identifier: GPL-2.0
# The examples of Documentation/pktgen_ext.rst on the files themselves. The answers of an entry come from the module's own
# code there, see selftests/docs/reference.c; here it is the whole way of a write, and the files that have no table.
import os
from pgx import add_dummy, equal, finish, put, result, sh, write

PAGE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../Documentation/pktgen_ext.rst")
ENTRY = "dummy0@0"


def blocks():
    """Yields (file, words, examples): an example is a line and what stands below it."""
    block = None
    answer = None
    with open(PAGE, encoding="utf-8") as page:
        for text in page.read().splitlines():
            if text.startswith((".. parameter: ", ".. try:", ".. file: ")):
                if block:
                    yield block
                kind, _, rest = text[3:].partition(":")
                block = (rest.strip() if kind == "file" else ENTRY, rest.strip() if kind == "try" else "", [])
            if text.startswith("    $ "):
                answer = []
                block[2].append((text[6:], answer))
            elif answer is not None and text.startswith("    "):
                answer.append(text[4:])
            else:
                answer = None
    yield block


def told(answer):
    """What a write is to return, and what Result: is to show."""
    if answer and answer[-1].startswith("[the write fails: "):
        return answer[-1].split(": ")[1].rstrip("]"), "\n".join(answer[:-1])
    if answer and answer[-1] == "[the write succeeds]":
        return "OK", "\n".join(answer[:-1])
    return "OK", "\n".join(answer)


# who loads the driver by hand has one already
sh("ip link del dummy0 2>/dev/null", False)
add_dummy("dummy0")
for name, words, examples in blocks():
    # other devices and runs are for other cases
    if words:
        continue
    put("pgctrl", "reset")
    if name == ENTRY:
        put("kpktgend_0", "add_device " + ENTRY)
    for line, answer in examples:
        if name == ENTRY and line in ("start", "cat"):
            break
        error, reply = told(answer)
        got = write(name, line)
        shown = "" if name == "pgctrl" else "\n".join(t.rstrip() for t in result(name).splitlines())
        equal("%s: %s" % (name, line), (got, shown), (error, reply))
finish()
