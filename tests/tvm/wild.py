#!/usr/bin/env python3
"""Hold rlx against wheels of Apache TVM over the TVMScript in a project's files.

usage: wild.py RLX --python NAME=PYTHON… [--dialect DIALECT] [--errors-only] [--list N] [--keep DIR] [--jobs N] [--max-alarm N] [--max-missed P] FOLDER…

Every island, an outermost function or class with a TVMScript decorator, is run with what it needs of its file: imports, constants, functions
above it. What is not to be verified (`check_well_formed=False`) is verified all the same: where that is refused, rlx may say so or not. `rlx check` reads the file itself. An island that any wheel accepts and that rlx reports an error in is a false alarm (RLX0353 apart:
TVM does not look at results; conditions of `if` apart, docs/differences.md; and what is accepted only by a wheel that the project is not written for:
that is the one that accepts the most islands of its folder); one that all refuse and rlx does not is a miss. An island that needs a name which exists only when the
project's code runs (an argument of a test, a module that is not installed) and is refused is undecided, as is one that needs a refused island.
With --dialect projects of other years show what of their faults is said: `rlx check` reads the files as of that dialect.
"""
import argparse
import ast
import functools
import json
import pathlib
import re
import sys
from collections import Counter

from wheel import ask

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT.parent / "shared" / "conformance"))
DECORATORS = re.compile(r"(^|\.)(ir_module|prim_func|function|rewriter)$")
LISTED = r"RLX0353|RLX0434: the condition is"
ABSENT = r"Not found: .*include|cuda-python"  # of the machine: what some tests compile with
WITNESSES = 40  # islands without errors, of as many files, that are asked beside those with errors
SIMPLE = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


def decorated(node):
    if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return False
    heads = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
    return any(DECORATORS.search(ast.unparse(h)) for h in heads)


def first_line(node):
    return min([d.lineno for d in getattr(node, "decorator_list", [])] + [node.lineno])


def islands(node, scopes=()):
    """(island, statements of the scopes around it, from the outermost), outermost islands only."""
    for field in ("body", "orelse", "finalbody", "handlers"):
        body = getattr(node, field, None)
        if not isinstance(body, list):
            continue
        for s in body:
            if decorated(s):
                yield s, [*scopes, (node, body)]
            else:
                yield from islands(s, (*scopes, (node, body)))


kept = functools.lru_cache(maxsize=1 << 14)  # a file's nodes are asked again and again


@kept
def binds(s):
    if isinstance(s, (ast.FunctionDef, ast.ClassDef)):
        return {s.name}
    if isinstance(s, (ast.Import, ast.ImportFrom)):
        return {(a.asname or a.name).split(".")[0] for a in s.names}
    targets = s.targets if isinstance(s, ast.Assign) else [s.target] if isinstance(s, ast.AnnAssign) else []
    return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}


@kept
def names(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


@kept
def stores(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def outside(island, scopes):
    """Statements that the island needs, and the names that only running the project gives."""
    needed, missing, todo = {}, set(), [(name, first_line(island)) for name in names(island)]
    done, own = set(), stores(island)
    while todo:
        name, line = todo.pop()
        if name in done:
            continue
        done.add(name)
        for owner, body in reversed(scopes):
            found = [s for s in body if name in binds(s) and s is not island and (isinstance(owner, ast.Module) or first_line(s) < line)]
            before = [s for s in found if s.end_lineno < first_line(island)]
            if before:
                for s in before:
                    if id(s) not in needed:
                        needed[id(s)] = s
                        todo += [(n, first_line(s)) for n in names(s)]
                break
            if isinstance(owner, ast.ClassDef) and body is scopes[-1][1]:
                continue
            args = owner.args if isinstance(owner, ast.FunctionDef) else None
            if args and name in {a.arg for a in [*args.args, *args.kwonlyargs, *args.posonlyargs]}:
                missing.add(name)
                break
            if name not in own and any(name in stores(s) for s in body if not isinstance(s, (ast.FunctionDef, ast.ClassDef))):
                missing.add(name)
                break
    return sorted(needed.values(), key=first_line), missing


def script(text, island, needed):
    """The text to run; each statement stands in the lines where it stands in the file."""
    lines = text.splitlines()
    out = [""] * island.end_lineno
    for s in [*needed, island]:
        a, b, column = first_line(s), s.end_lineno, s.col_offset
        if isinstance(s, SIMPLE) and not any(isinstance(n, ast.Lambda) for n in ast.walk(s)):
            out[a - 1] += f"exec({'try:' + chr(10) + ' ' + ast.unparse(s).replace(chr(10), chr(10) + ' ') + chr(10) + 'except Exception: pass'!r});"
            continue
        for k in range(a - 1, b):
            out[k] = lines[k][column:] if not lines[k][:column].strip() else lines[k]
    return re.sub(r"\bcheck_well_formed=False\b", "check_well_formed=True", "\n".join(out)) + "\n"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("folders", nargs="+", type=pathlib.Path)
    p.add_argument("--python", action="append", required=True, metavar="NAME=PYTHON")
    p.add_argument("--dialect", help="read the files as of this dialect, whatever they are written in")
    p.add_argument("--errors-only", action="store_true", help="only the islands that rlx reports errors in")
    p.add_argument("--list", type=int, default=1000, help="show the first N disagreements of each kind")
    p.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/wild"), help="where the scripts and TVM's answers are kept")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--max-alarm", type=int, default=10**9)
    p.add_argument("--max-missed", type=float, default=100.0, help="percent of what is refused")
    a = p.parse_args()
    from lib import Rlx, errors_of
    files = sorted(f for d in a.folders for f in ([d] if d.is_file() else d.rglob("*.py")))
    texts = {}
    for f in files:
        text = f.read_text(encoding="utf-8", errors="replace")
        if re.search(r"@\S*(ir_module|prim_func|function)\b", text):
            texts[str(f)] = text
    options = ["--isolated", "--no-cache"] + ([f"--dialect={a.dialect}"] if a.dialect else [])
    found = {f: errors_of(e) for f, e in Rlx(a.rlx).files("check", sorted(texts), *options).items()}
    a.keep.mkdir(parents=True, exist_ok=True)
    cases, others = [], {}
    for f, text in texts.items():
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        for island, scopes in islands(tree):
            first, last = first_line(island), island.end_lineno
            errors = [e for e in found.get(f) or [] if first <= e["range"]["start"]["line"] + 1 <= last and not re.match(LISTED, f"{e['code']}: {e['message']}")]
            folder = next(str(d) for d in a.folders if pathlib.Path(f).is_relative_to(d))
            is_other = a.errors_only and not errors  # some of these say which TVM the folder is written for
            if is_other and others.setdefault(folder, Counter())[f] >= 1 or is_other and others[folder].total() >= WITNESSES:
                continue
            if is_other:
                others[folder][f] += 1
            needed, missing = outside(island, scopes)
            missing |= {s.name for s in needed if decorated(s)}  # it may be the one that is refused
            path = (a.keep / f"i{len(cases)}.py").resolve()
            path.write_text(script(text, island, needed), encoding="utf-8")
            imported = {n for s in ast.walk(tree) if isinstance(s, (ast.Import, ast.ImportFrom)) for n in binds(s)}
            cases.append({"folder": folder, "is_other": is_other, "file": f, "first": first, "last": last, "name": island.name, "errors": errors, "missing": sorted(missing), "unverified": "check_well_formed=False" in "\n".join(text.splitlines()[first - 1:last]), "given": sorted(imported.union(*map(binds, needed))), "path": str(path), "tvm": {}})
    for python in a.python:
        name, python = python.split("=", 1)
        saved = a.keep / f"answers-{name}.json"
        known = json.loads(saved.read_text()) if saved.exists() else {}
        asked = {str(i): c["path"] for i, c in enumerate(cases) if pathlib.Path(c["path"]).read_text() not in known}
        answers = ask(python, asked, a.jobs)
        for i, c in enumerate(cases):
            text = pathlib.Path(c["path"]).read_text()
            if str(i) in answers:
                known[text] = {k: answers[str(i)][k] for k in ("error", "line")}
            c["tvm"][name] = known[text]
        saved.write_text(json.dumps(known))
    return judge(cases, a)


def unknowable(error, given):
    """Whether an island is refused for what the script lacks: `given` are names that the file gives it."""
    if error == "crash" or error.startswith(("ModuleNotFound", "ImportError", "TimeoutError")) or re.search(ABSENT, error):
        return True
    name = re.search(r"(?:Undefined variable: |name ')(\w+)", error)
    return bool(name and name[1] in given)


def judge(cases, a):
    total, groups = Counter(), {"false alarm": [], "missed": [], "undecided with errors": []}
    liked = {c["folder"]: Counter() for c in cases}
    for c in cases:
        liked[c["folder"]].update(n for n, x in c["tvm"].items() if x["error"] is None)
    cases = [c for c in cases if not c["is_other"]]
    for c in cases:
        answers = c["tvm"].values()
        accepted = any(x["error"] is None for x in answers)
        best = max(c["tvm"], key=lambda n: liked[c["folder"]][n])
        if accepted and c["errors"] and c["tvm"][best]["error"]:
            total["right (another TVM accepts)"] += 1
            continue
        free = c["missing"] or any(unknowable(x["error"], c["given"]) for x in answers if x["error"])
        if accepted:
            verdict = "false alarm" if c["errors"] else "right (accepted)"
        elif free:
            verdict = "undecided with errors" if c["errors"] else "undecided"
        else:
            verdict = "right (refused)" if c["errors"] else "not to be verified" if c["unverified"] else "missed"
        total[verdict] += 1
        if verdict in groups:
            groups[verdict].append(c)
    for verdict, some in groups.items():
        for c in some[:a.list]:
            told = "; ".join(f"{e['range']['start']['line'] + 1}: {e['code']}: {e['message'][:110]}" for e in c["errors"][:2])
            tvm = " | ".join(f"{n} {x['line']}: {x['error'][:130]}" for n, x in c["tvm"].items() if x["error"])
            print(f"{verdict}: {c['file']}:{c['first']} {c['name']} ({pathlib.Path(c['path']).name}) {told} {'TVM ' + tvm if verdict != 'false alarm' else ''}")
    refused = total["right (refused)"] + total["missed"]
    missed = 100.0 * total["missed"] / max(refused, 1)
    print(f"{len(cases)} islands: " + ", ".join(f"{k} {v}" for k, v in total.most_common()))
    print(f"false alarms {total['false alarm']}; refused {refused}, missed {missed:.2f} %")
    return 1 if total["false alarm"] > a.max_alarm or missed > a.max_missed else 0


if __name__ == "__main__":
    sys.exit(main())
