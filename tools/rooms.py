"""What tools/rooms.txt says and what the sources do: rooms, includes, uses of functions, circles.

Reads sources alone. Used by layers.py (the check) and generate_rooms (pages and the picture).

A use is a name of ours (NAME) that one file defines (a function, or data, outside of any function and not static) and another
mentions. Names made by a macro from a row (`rlx_deduce_##rule`) count for every row of the .def files that the same file
includes.
"""
import fnmatch
import glob
import os
import re
import sys
from collections import defaultdict

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = "tools/rooms.txt"
NAME = r"\b(?:rlx|rules?|guard|c)_\w+"  # what others see begins with rlx_, and in jit/schedule and jit/legalize with rule_, rules_, guard_, c_
NOT_OURS = ("grammar/src/parser.c", "grammar/src/tree_sitter/")


class Room:
    """One row of [folders]. `folder` ends with "/", or with "/*" for the files in a folder itself."""

    def __init__(self, folder, includes, job):
        self.folder, self.includes, self.job = folder, includes, job
        self.top = folder.split("/")[0]
        self.inner = folder.count("/") > 1 or folder.endswith("*")
        self.name = folder.rstrip("/")
        self.floor = 0  # position among the rooms of its top folder, from the ground up

    def __repr__(self):
        return self.folder


class Table:
    """tools/rooms.txt: rooms (in order), libraries, limits, circles. Malformed rows end the program with the line."""

    def __init__(self, path=os.path.join(ROOT, TABLE)):
        self.rooms, self.libraries, self.limits, self.circles, self.private = [], [], [], [], set()
        section = None
        with open(path) as file:
            lines = file.readlines()
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if not line.strip() or line.startswith("#"):
                continue
            if line.startswith("["):
                section = line.strip("[] ")
                continue
            cells = [c.strip() for c in re.split(r" *\| (?![^(]*\))| +\|$", line)]
            self.row(section, cells, number)
        self.tops = {r.folder: r for r in self.rooms if not r.inner}
        for i, room in enumerate(self.rooms):
            room.floor = i
        self.by_folder = {r.folder: r for r in self.rooms}
        for room in self.rooms:
            if room.top + "/" not in self.tops:
                sys.exit(f"{TABLE}: {room.folder} has no row for {room.top}/")

    def row(self, section, cells, number):
        width = {"folders": 3, "private": 2, "libraries": 3, "limits": 2, "circles": 3}.get(section)
        if width is None or len(cells) != width:
            sys.exit(f"{TABLE}:{number}: {width or 'no'} columns belong into [{section}], not {len(cells)}")
        if section == "folders":
            self.rooms.append(Room(cells[0], cells[1].split(), cells[2]))
        elif section == "private":
            self.private.add(cells[0])
        elif section == "libraries":
            kind, _, what = cells[1].partition(" ")
            self.libraries.append((cells[0], kind, re.compile(what), cells[2].split()))
        elif section == "limits":
            self.limits.append((cells[0], int(cells[1]), number))
        else:
            self.circles.append((cells[0], cells[1].split(), cells[2], number))

    def room_of(self, path):
        """The row a file belongs to: its folder's, or `folder/*` when the folder has rooms inside. None: no row."""
        folder = os.path.dirname(path)
        top = path.split("/")[0] + "/"
        if folder + "/" == top and folder + "/*" in self.by_folder:
            return self.by_folder[folder + "/*"]
        while folder:
            if folder + "/" in self.by_folder:
                room = self.by_folder[folder + "/"]
                inner = any(r.inner and r.top + "/" == room.folder for r in self.rooms)
                return None if inner else room
            folder = os.path.dirname(folder)
        return None

    def may_call(self, a, b):
        """Whether files of room `a` may call what room `b` defines."""
        if a.top != b.top:
            return b.top in self.tops[a.top + "/"].includes
        return b.floor <= a.floor

    def may_include(self, a, b, path):
        """Whether files of room `a` may include `path`, which is in room `b`. What a private room defines may be called
        from other folders all the same: analyzer.h declares it."""
        if path.endswith("_impl.h") and a is not b:
            return False
        return self.may_call(a, b) and (a.top == b.top or b.folder not in self.private)


class Source:
    """One file: its text without comments and strings, its includes, what it defines and mentions."""

    def __init__(self, path):
        self.path = path
        with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        self.includes = [  # (line, what, True when it is written in quotes)
            (text.count("\n", 0, m.start()) + 1, m[2], m[1] == '"')
            for m in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[">]', text, re.M)
        ]
        self.code = CODE.sub(blank, text)
        self.defines = self.local = frozenset()
        if path.endswith(".c"):
            self.defines, self.local = definitions(self.code)

    def names(self):
        """Every (name, line) mentioned that this file does not define itself; the first line of each."""
        seen = {}
        for m in re.finditer(NAME, self.code):
            name = m[0]
            if name not in seen and name not in self.defines and name not in self.local:
                seen[name] = m.start()
        return [(name, self.code.count("\n", 0, at) + 1) for name, at in seen.items()]

    def declares(self, name):
        """Whether this header mentions `name` only to declare it: outside of macros and bodies of inline functions."""
        if not self.path.endswith(".h"):
            return False
        code = PREPROCESSOR.sub("", self.code)
        return name in re.findall(NAME, BODY.sub("", code))


# Comments, strings, characters; newlines stay, so that lines keep their numbers.
CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
BODY = re.compile(r"\)\s*\{.*?^\}", re.S | re.M)  # of an inline function


def blank(match):
    text = match[0]
    if text.startswith("/"):
        return "\n" * text.count("\n") or " "
    return text[0] + text[0]


def definitions(code):
    """Names that a .c defines outside of functions: (those that others see, static ones)."""
    code = PREPROCESSOR.sub("", code)
    seen, local = set(), set()
    at = depth = start = 0
    for m in re.finditer(r"[{};]", code):
        char = m[0]
        if char == "{":
            if depth == 0:
                add_definition(code[start : m.start()], True, seen, local)
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                start = m.end()
        elif depth == 0:
            add_definition(code[start : m.start()], False, seen, local)
            start = m.end()
    return frozenset(seen), frozenset(local)


def add_definition(head, body, seen, local):
    """`head`: what stands before a `{` (a body or an initializer) or a `;` at the outermost level."""
    head = head.strip()
    if not head or re.match(r"(typedef|extern|struct \w+$|enum|union|_Static_assert)\b", head):
        return
    # `char out[static SIZE]` says how long a parameter's array is at least, and nothing of the function.
    into = local if re.search(r"(?<!\[)\bstatic\b", head) else seen
    body = body or "=" in head
    head = head.split("=")[0].strip()
    m = re.search(rf"({NAME})\s*\(", head)
    data = re.search(rf"({NAME})(\)\([^()]*\))?\s*(\[.*\])?$", head)
    if data and (not m or data.start() < m.start()):
        into.add(data[1])
    elif m and (body or into is local):  # without a body and not static: a declaration
        into.add(m[1])


class House:
    """All sources of the table's folders with their includes and uses."""

    def __init__(self, table):
        self.table = table
        self.sources = {}
        for top in table.tops:
            for kind in ("c", "h", "def"):
                for full in glob.glob(os.path.join(ROOT, top, "**", "*." + kind), recursive=True):
                    path = os.path.relpath(full, ROOT)
                    if not path.startswith(NOT_OURS):
                        self.sources[path] = Source(path)
        self.room = {p: table.room_of(p) for p in self.sources}
        self.owner = {}
        for path, source in sorted(self.sources.items()):
            for name in source.defines | self.made_names(source):
                self.owner[name] = path
        self.includes = []  # (path, line, included path)
        self.uses = []  # (path, line, name, path that defines it)
        for path, source in sorted(self.sources.items()):
            self.read_includes(source)
            self.read_uses(source)

    def read_includes(self, source):
        for line, what, quoted in source.includes:
            if not quoted:
                continue
            near = os.path.normpath(os.path.join(os.path.dirname(source.path), what))
            target = what if what in self.sources else near
            if target in self.sources:
                self.includes.append((source.path, line, target))

    def read_uses(self, source):
        for name, line in source.names():
            if name in self.owner:
                self.uses.append((source.path, line, name, self.owner[name]))
        if not source.path.endswith(".c"):
            return
        for m in re.finditer(r"\b(rlx_\w*)##", source.code):
            line = source.code.count("\n", 0, m.start()) + 1
            words = self.words_of_rows(source)
            for name, path in self.owner.items():
                if path != source.path and name.startswith(m[1]) and name[len(m[1]) :] in words:
                    self.uses.append((source.path, line, name, path))

    def made_names(self, source):
        """Names that macros of a .c define: for rows (`const int rlx_id_##row = …`), or given as their first argument at the
        outermost level (`HAS(rlx_has_wine, wine)`)."""
        if not source.path.endswith(".c"):
            return set()
        made = set(re.findall(rf"^[A-Z]\w*\(({NAME})\b", PREPROCESSOR.sub("", source.code), re.M))
        for macro in re.findall(r"^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*", source.code, re.M):
            for head in re.findall(r"\bconst\s+\w+\s+(rlx_\w*)##\w+\s*=", macro):
                made |= {head + word for word in self.words_of_rows(source)}
        return made

    def words_of_rows(self, source, done=None):
        """Words of all .def files that a file includes, directly or through another .def; those that a .def pastes
        together itself (`inspect_##name`), too."""
        done = set() if done is None else done
        words = set()
        for _, what, _ in source.includes:
            if what.endswith(".def") and what in self.sources and what not in done:
                done.add(what)
                own = set(re.findall(r"\w+", self.sources[what].code))
                words |= own | {head + word for head in re.findall(r"\b(\w+)##", self.sources[what].code) for word in own}
                words |= self.words_of_rows(self.sources[what], done)
        return words

    def circles(self, edges):
        """Groups of files that reach each other, sorted; `edges`: pairs of paths."""
        graph = defaultdict(set)
        for a, b in edges:
            if a != b:
                graph[a].add(b)
        index, low, stack, on, out = {}, {}, [], set(), []
        for root in sorted(graph):
            if root in index:
                continue
            work = [(root, iter(sorted(graph[root])))]
            index[root] = low[root] = len(index)
            stack.append(root), on.add(root)
            while work:
                node, targets = work[-1]
                for target in targets:
                    if target not in index:
                        index[target] = low[target] = len(index)
                        stack.append(target), on.add(target)
                        work.append((target, iter(sorted(graph[target]))))
                        break
                    if target in on:
                        low[node] = min(low[node], index[target])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[node])
                    if low[node] == index[node]:
                        group = []
                        while True:
                            last = stack.pop()
                            on.discard(last)
                            group.append(last)
                            if last == node:
                                break
                        if len(group) > 1:
                            out.append(sorted(group))
        return sorted(out)

    def file_circles(self):
        """Circles of .c files by uses inside a room, then of headers by includes."""
        same = [(a, b) for a, _, _, b in self.uses if self.room[a] is self.room[b] and a.endswith(".c")]
        return self.circles(same)

    def header_circles(self):
        return self.circles([(a, b) for a, _, b in self.includes if a.endswith(".h") and b.endswith(".h")])

    def matches(self, path, patterns):
        return any(fnmatch.fnmatch(path, p) for p in patterns)
