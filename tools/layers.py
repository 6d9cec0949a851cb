#!/usr/bin/env python3
"""make layers: holds includes, calls, libraries and circles against tools/rooms.txt.

Reads sources alone: no build, no git history; well under a second. Each line says where, which rule, and what to do.
"""
import os
import sys
from collections import defaultdict

sys.dont_write_bytecode = True

import rooms
from rooms import TABLE


def folder_rules(table, house):
    """A folder without a row, a row without a folder, too many files in a folder that has rooms."""
    bad = []
    lost = {os.path.dirname(p) for p, room in house.room.items() if room is None}
    for folder in sorted(lost):
        bad.append(f"{folder}/: no row in {TABLE}\n"
                   "  do: add a row (what it is for, where it stands), or move the files into a room that has one")
    used = {room for room in house.room.values()}
    for room in table.rooms:
        if room.inner and room not in used:
            bad.append(f"{TABLE}: nothing is in {room}\n  do: remove the row")
    for folder, most, line in table.limits:
        files = [p for p, r in house.room.items() if r and r.folder == folder and p.endswith(".c")]
        if len(files) > most:
            bad.append(f"{TABLE}:{line}: {len(files)} .c files in {folder}, at most {most}\n"
                       "  do: move one into a room")
    return bad


def why_not(table, a, b, path):
    """The rule that forbids room `a` to include or call `b`, as a sentence."""
    if path.endswith("_impl.h"):
        return f"a header named _impl.h is private to its room, {b}"
    if a.top == b.top:
        return f"{a} stands below {b}"
    if b.top in table.tops[a.top + "/"].includes:
        return f"{b} is private to {b.top}/"
    known = " ".join(table.tops[a.top + "/"].includes) or "nothing of ours"
    return f"{a.top}/ may know {known}"


def include_rules(table, house):
    bad = []
    for path, line, target in house.includes:
        a, b = house.room[path], house.room[target]
        if a and b and not table.may_include(a, b, target):
            bad.append(f"{path}:{line}: includes {target}\n"
                       f"  rule: {why_not(table, a, b, target)} ({TABLE})\n"
                       f"  do: move what is shared down to {a} or below it, or move this code up")
    return bad


def call_rules(table, house):
    bad = []
    for path, line, name, target in house.uses:
        a, b = house.room[path], house.room[target]
        if not a or not b or table.may_call(a, b):
            continue
        if house.sources[path].declares(name):
            what, do = "declares", f"declare it in a header of {b}"
        else:
            what, do = "uses", f"move {name} down to {a} or below it, move this code up, or let the caller hand it in"
        bad.append(f"{path}:{line}: {what} {name}, which {target} defines\n"
                   f"  rule: {why_not(table, a, b, target)} ({TABLE})\n  do: {do}")
    return bad


def library_rules(table, house):
    """What only one room may touch: a library's headers, or functions by name."""
    bad = []
    for path, source in sorted(house.sources.items()):
        for what, kind, pattern, only in table.libraries:
            if kind == "include":
                found = [(line, text) for line, text, _ in source.includes if pattern.match(text)]
            else:
                found = [(line, name) for name, line in source.names() if pattern.fullmatch(name)]
            if found and not house.matches(path, only):
                line, text = found[0]
                bad.append(f"{path}:{line}: touches {what} ({text})\n"
                           f"  rule: only {' '.join(only)} may ({TABLE})\n"
                           "  do: ask one of these files for what is needed")
    return bad


def circle_rules(table, house):
    """Circles of files in a room that are not listed, and listed ones that are gone or have become smaller."""
    bad = []
    found = [(house.room[c[0]].folder, {os.path.basename(p) for p in c}) for c in house.file_circles()]
    for folder, files in found:
        if not any(folder == f and files <= set(listed) for f, listed, _, _ in table.circles):
            bad.append(f"{folder}: these files call each other in a circle: {' '.join(sorted(files))}\n{calls(house, folder, files)}"
                       f"  do: move what both sides need to a third file; if they are one thing, list them with the reason in {TABLE}")
    for folder, listed, _, line in table.circles:
        real = [files for f, files in found if f == folder and files & set(listed)]
        gone = set(listed) - set().union(*real)
        if gone:
            bad.append(f"{TABLE}:{line}: not in this circle any more: {' '.join(sorted(gone))}\n"
                       "  do: remove the names, or the line")
    for circle in house.header_circles():
        bad.append(f"{circle[0]}: headers include each other in a circle: {' '.join(circle)}\n"
                   "  do: move what both need to a third header")
    return bad


def calls(house, folder, files):
    """The calls between the files of a circle, a line for each pair."""
    pairs = defaultdict(set)
    for path, _, name, target in house.uses:
        a, b = os.path.basename(path), os.path.basename(target)
        if a != b and {a, b} <= files and house.room[path].folder == folder == house.room[target].folder:
            pairs[a, b].add(name)
    return "".join(f"    {a} -> {b}: {' '.join(sorted(names)[:6])}{' …' if len(names) > 6 else ''}\n" for (a, b), names in sorted(pairs.items()))


def main():
    if sys.argv[1:]:
        sys.exit(__doc__)
    table = rooms.Table()
    house = rooms.House(table)
    bad = [text for rule in (folder_rules, include_rules, call_rules, library_rules, circle_rules) for text in rule(table, house)]
    for text in bad:
        print(text)
    if bad:
        print(f"layers: {len(bad)} violations (the table is {TABLE})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
