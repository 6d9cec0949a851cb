#!/usr/bin/env python3
"""Hold rlx against wheels of Apache TVM over random changes of scripts' texts.

usage: texts.py RLX --python DIALECT=PYTHON… [--base DIR…] [--part prim_func|relax|all] [--how KIND…] [--count N] [--seed N] [--sample N] [--list N] [--keep DIR] [--load] [--jobs N]
                [--max-alarm P] [--max-missed P]

A script that a wheel accepts is changed in one place: a token, a line, an argument, a name, a literal, a dtype, a decorator, an expression. The
wheel then runs the script as Python does, and `rlx check` reads it. What one accepts and the other refuses is grouped by TVM's message or
rlx's code. Disagreements that docs/differences.md has are set apart as "listed". What kills TVM is no verdict.
"""
import argparse
import ast
import json
import pathlib
import random
import re
import sys
import tokenize
from collections import Counter, defaultdict

import script_changes  # noqa: F401  its kinds of change join those of KINDS
from text_changes import KINDS, Text
from wheel import ask

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
sys.path.insert(0, str(SHARED / "conformance"))
# What docs/differences.md lists: rlx's code and message where TVM accepts, TVM's message where rlx does.
LISTED_ALARMS = [r"RLX0362: `(True|False)` is not a dimension", r"RLX0434: the condition is", r"RLX0452", r"RLX0451", r"RLX0437", r"RLX0454: `pyfunc` of I",
                 r"RLX0422: \w+ takes at most \d+ positional", r"RLX0364", r"RLX0208: .*no value", r"RLX0301: .* found a new symbolic variable", r"RLX0305: .*: axis -?\d{10,} is out of range",
                 r"RLX0350: annotated as .*, but the value is", r"RLX0440: (output|input) \d+ of .*: dimension \d+", r"RLX0427: argument \d+ of .*: dimension \d+"]
# TVM does not deduce a call that is annotated, nor a field: what does not fit in it is told by its line.
OF_OPERANDS, ANNOTATED_CALL = r"RLX030[123]: |RLX0358: only tuples", r"\s*\w+: R\..* = (R\.|\w+\[)"
LISTED_MISSES: list[str] = []


def mutants(base, count, seed, part, kinds=None):
    rng = random.Random(seed)
    seen, out = set(), []
    texts = {}
    for _ in range(count * 10):
        if len(out) == count:
            break
        name = rng.choice(base)
        if name not in texts:
            try:
                texts[name] = Text(pathlib.Path(name).read_text(), part)
            except (SyntaxError, tokenize.TokenError, ValueError):
                texts[name] = None
        t = texts[name]
        if not t or not t.tokens:
            continue
        how = rng.choice(kinds or sorted(KINDS))
        try:
            text = KINDS[how](t, rng)
        except (SyntaxError, ValueError, IndexError):
            continue
        if not text or text == t.text or text in seen:
            continue
        try:
            if ast.dump(ast.parse(text)) == ast.dump(t.tree):
                continue
        except (SyntaxError, ValueError):
            if rng.random() < 0.8:
                continue
        seen.add(text)
        out.append({"from": name, "how": how, "text": text})
    return out


def rlx_errors(rlx, paths, dialect):
    """{path: errors} by `rlx check`."""
    from lib import errors_of
    options = ["--isolated", "--no-cache"] + ([f"--dialect={dialect}"] if dialect else [])
    return {p: errors_of(e) for p, e in rlx.files("check", paths, *options).items()}


def accepted_base(python, dialect, files, jobs, cache):
    """Those of `files` that the wheel accepts; asked once, kept in `cache`."""
    known = json.loads(cache.read_text()) if cache.exists() else {}
    new = [f for f in files if f not in known]
    if new:
        answers = ask(python, {str(i): f for i, f in enumerate(new)}, jobs)
        known.update({f: answers[str(i)]["error"] is None for i, f in enumerate(new)})
        cache.write_text(json.dumps(known))
    return [f for f in files if known[f]]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("--python", action="append", required=True, metavar="DIALECT=PYTHON")
    p.add_argument("--base", type=pathlib.Path, action="append", help="folders of scripts; by default those beside the repository")
    p.add_argument("--part", choices=["prim_func", "relax", "all"], default="prim_func", help="what is changed")
    p.add_argument("--how", choices=sorted(KINDS), nargs="+", help="only these kinds of change")
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--sample", type=int, help="change only this many of the scripts, drawn by the seed: TVM is asked about no others")
    p.add_argument("--list", type=int, default=0, help="show the first N of every group of disagreements")
    p.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/texts"), help="where the scripts and TVM's answers are kept")
    p.add_argument("--load", action="store_true", help="do not ask TVM again")
    p.add_argument("--auto", action="store_true", help="let rlx recognise the dialect")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--max-alarm", type=float, default=100.0)
    p.add_argument("--max-missed", type=float, default=100.0)
    a = p.parse_args()
    from lib import Rlx
    rlx = Rlx(a.rlx)
    folders = a.base or [SHARED / "corpus" / "tir", SHARED / "corpus" / "relax"]
    files = sorted(str(f) for d in folders for f in d.rglob("*.py") if ".classic." not in f.name and f.stat().st_size < 12000)
    if a.part != "all":
        word = {"prim_func": "prim_func", "relax": "R.function"}[a.part]
        files = [f for f in files if word in pathlib.Path(f).read_text()]
    if a.sample and a.sample < len(files):
        files = sorted(random.Random(f"{a.seed}").sample(files, a.sample))
    bad = 0
    for d in a.python:
        dialect, python = d.split("=", 1)
        folder = (a.keep / f"{dialect}-{a.part}-{a.seed}").resolve()
        folder.mkdir(parents=True, exist_ok=True)
        saved = folder / "cases.json"
        if a.load:
            cases = json.loads(saved.read_text())
        else:
            base = accepted_base(python, dialect, files, a.jobs, a.keep / f"accepted-{dialect}.json")
            refused = {f for f, e in rlx_errors(rlx, base, dialect).items() if e is None or any(x["code"] != "RLX0353" for x in e)}
            print(f"{dialect}: of {len(base)} scripts that TVM accepts rlx reports errors in {len(refused)}; these are left out")
            cases = mutants([f for f in base if f not in refused], a.count, a.seed, a.part, a.how)
            for i, c in enumerate(cases):
                c["path"] = str(folder / f"m{i}.py")
                pathlib.Path(c["path"]).write_text(c["text"], encoding="utf-8")
            answers = ask(python, {str(i): c["path"] for i, c in enumerate(cases)}, a.jobs)
            for i, c in enumerate(cases):
                c.update(error=answers[str(i)]["error"], line=answers[str(i)]["line"])
            saved.write_text(json.dumps(cases))
        bad += judge(rlx, cases, dialect, a)
    return 1 if bad else 0


def judge(rlx, cases, dialect, a):
    found = rlx_errors(rlx, [c["path"] for c in cases], None if a.auto else dialect)
    groups, total = defaultdict(list), Counter()
    for c in cases:
        errors = found.get(c["path"])
        c["rlx"] = errors
        if c["error"] == "crash" or (c["error"] or "").startswith("TimeoutError"):
            verdict, key = "crash of TVM", ""
        elif errors is None:
            verdict, key = "no answer", ""
        elif c["error"]:
            verdict, key = ("right", "") if errors else ("missed", re.sub(r"\d+|[\"'`(\[].*", "#", c["error"])[:70])
            if not errors and any(re.search(r, c["error"]) for r in LISTED_MISSES):
                verdict = "listed"
        else:
            real = [e for e in errors if e["code"] != "RLX0353"]
            verdict, key = ("right", "") if not real else ("false alarm", f"{real[0]['code']} {re.sub(r'`[^`]*`|[0-9]+', '#', real[0]['message'])[:50]}")
            told = f"{real[0]['code']}: {real[0]['message']}" if real else ""
            line = c["text"].splitlines()[real[0]["range"]["start"]["line"]] if real else ""
            if real and (any(re.search(r, told) for r in LISTED_ALARMS) or (re.match(OF_OPERANDS, told) and re.match(ANNOTATED_CALL, line))):
                verdict = "listed"
        total[verdict] += 1
        if verdict in ("missed", "false alarm", "no answer"):
            groups[verdict, key].append(c)
    for (verdict, key), some in sorted(groups.items(), key=lambda x: (x[0][0], -len(x[1]))):
        print(f"{verdict} {len(some)}: {key}: {dict(Counter(c['how'] for c in some))}")
        for c in some[:a.list]:
            base = pathlib.Path(c["from"]).read_text().splitlines()
            new = c["text"].splitlines()
            k = next((i for i, (x, y) in enumerate(zip(base, new)) if x != y), 0)
            told = f"rlx line {c['rlx'][0]['range']['start']['line'] + 1}: {c['rlx'][0]['code']}: {c['rlx'][0]['message'][:150]}" if c["rlx"] else ""
            tvm = f"TVM line {c['line']}: {c['error'][:200]}" if c["error"] else ""
            print(f"    {pathlib.Path(c['path']).name} {c['how']} {k + 1}: {(base[k] if k < len(base) else '').strip()[:110]}  =>  {new[k].strip()[:130] if k < len(new) else ''} | {told}{tvm}")
    accepted = sum(c["error"] is None for c in cases)
    refused = len(cases) - accepted - total["crash of TVM"]
    alarm, missed = 100.0 * total["false alarm"] / max(accepted, 1), 100.0 * total["missed"] / max(refused, 1)
    print(f"{dialect}, {a.part}, seed {a.seed}: {len(cases)} scripts: " + ", ".join(f"{k} {v}" for k, v in total.most_common()))
    print(f"accepted {accepted}, false alarm {alarm:.3f} %; refused {refused}, missed {missed:.3f} %")
    return not cases or alarm > a.max_alarm or missed > a.max_missed


if __name__ == "__main__":
    sys.exit(main())
