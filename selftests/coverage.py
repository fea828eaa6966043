# SPDX-License-Identifier: GPL-2.0
"""Adds up what gcov counted in all boots of a run, prints it by file, and names what was not reached.

coverage.py BUILD COUNTS TOP: the folder that the module was built in, the one with a folder of .gcda files for each boot
and one called "unit" of the unit tests, and the tree. Unit tests count for the lines that the module has, not for
branches, which another build has others of. Documentation/testing.rst says in its section "Coverage" why a function has
lines that were not reached."""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

LEAST = 90.0


def gcov(build, boot):
    """The reports of one boot, one for each object."""
    with tempfile.TemporaryDirectory() as work:
        for folder, _, names in os.walk(boot):
            for name in names:
                if not name.endswith(".gcda"):
                    continue
                note = os.path.relpath(os.path.join(folder, name), boot)[:-4] + "gcno"
                # that of a unit test lies beside it
                for place in os.path.join(build, note), os.path.join(boot, note):
                    if os.path.exists(place):
                        shutil.copy(place, work)
                shutil.copy(os.path.join(folder, name), work)
                told = subprocess.run(["gcov-12", "-b", "-j", "-t", name], cwd=work, check=True, text=True,
                                      stdout=subprocess.PIPE).stdout
                for line in told.splitlines():
                    yield json.loads(line)


class Counts:
    def __init__(self, *roots):
        self.roots = [os.path.realpath(root) for root in roots]
        self.lines = collections.defaultdict(collections.Counter)
        self.branches = collections.defaultdict(collections.Counter)
        self.places = {}

    def own(self, name, folder):
        """The path of a source in the tree, None for a header of the kernel."""
        full = os.path.realpath(os.path.join(folder, name))
        for root in self.roots:
            path = os.path.relpath(full, root)
            if not path.startswith(("..", "selftests/")):
                return path
        return None

    def add_unit(self, report):
        for source in report["files"]:
            path = self.own(source["file"], report.get("current_working_directory", "/"))
            for line in source["lines"] if path in self.lines else []:
                if line["line_number"] in self.lines[path]:
                    self.lines[path][line["line_number"]] += line["count"]

    def add(self, report):
        folder = report.get("current_working_directory", "/")
        for source in report["files"]:
            path = self.own(source["file"], folder)
            if path is None:
                continue
            for line in source["lines"]:
                number = line["line_number"]
                self.lines[path][number] += line["count"]
                self.places.setdefault((path, number), line.get("function_name", "?"))
                for i, branch in enumerate(line["branches"]):
                    self.branches[path][number, i] += branch["count"]

    def blocks(self, path):
        """Runs of lines of one function that were not reached."""
        found = []
        for number in sorted(self.lines[path]):
            name = self.places[path, number]
            if self.lines[path][number]:
                found.append(None)
            elif found and found[-1] and found[-1][0] == name:
                found[-1][2] = number
            else:
                found.append([name, number, number])
        return [block for block in found if block]


def share(counts):
    return sum(1 for n in counts if n), len(counts)


def row(name, lines, branches):
    def cell(pair):
        return "%5d of %5d  %5.1f %%" % (*pair, 100.0 * pair[0] / pair[1] if pair[1] else 100.0)
    return "%-22s %s   %s" % (name, cell(lines), cell(branches))


def reasons(page):
    """(file, function) of each row of the section's table."""
    text = open(page).read()
    section = re.search(r"^Coverage\n=+\n(.*?)(?=^[^\n]+\n=+\n|\Z)", text, re.M | re.S)
    found = set()
    for where, names in re.findall(r"\* - ``([\w/.]+)``\n +- ((?:``\w+``,?\s*)+)", section.group(1) if section else ""):
        found.update((where, name) for name in re.findall(r"``(\w+)``", names))
    return found


def main(build, counts_dir, top):
    page = os.path.join(top, "Documentation/testing.rst")
    counts = Counts(build, top)
    boots = sorted(os.listdir(counts_dir), key=lambda name: (name == "unit", name))
    for boot in boots:
        for report in gcov(build, os.path.join(counts_dir, boot)):
            (counts.add_unit if boot == "unit" else counts.add)(report)
    print("%-22s %-22s   %s" % ("file", "lines", "branches"))
    for path in sorted(counts.lines):
        print(row(path, share(counts.lines[path].values()), share(counts.branches[path].values())))
    lines = share([n for of in counts.lines.values() for n in of.values()])
    print(row("all", lines, share([n for of in counts.branches.values() for n in of.values()])))
    named, unnamed = reasons(page), 0
    for path in sorted(counts.lines):
        for name, first, last in counts.blocks(path):
            known = (path, name) in named
            unnamed += not known
            print("not reached: %s:%d-%d %s%s" % (path, first, last, name, "" if known else ", without a reason"))
    stale = {(path, name) for path, name in named if name not in [b[0] for b in counts.blocks(path)]}
    for path, name in sorted(stale):
        print("# reached by now, though the page has a reason: %s %s" % (path, name))
    good = lines[1] and 100.0 * lines[0] / lines[1] >= LEAST and not unnamed
    print("%s: %d blocks without a reason" % ("good" if good else "not good", unnamed))
    return 0 if good else 1


sys.exit(main(*sys.argv[1:]))
