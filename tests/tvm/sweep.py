#!/usr/bin/env python3
"""Hold rlx against wheels of Apache TVM over PrimFuncs that are made row by row: one mistake, or none, in each.

usage: sweep.py RLX --python DIALECT=PYTHON… [--part calls|buffers|places] [--name WORD…] [--count N] [--seed N] [--list N] [--keep DIR] [--jobs N]
                [--max-alarm P] [--max-missed P]

calls     every function of T that script_names.def has, with each kind of value for each of its parameters; one left out, one too many, by keyword, twice, starred
buffers   declarations of buffers, indices and stores of each dtype into each (sweep_rows.txt)
places    heads of blocks and loops, decorators, parameters, operators, each form of statement at each place of a PrimFunc (sweep_rows.txt)

With --count it is a random sample. The wheel runs each script as Python does, and `rlx check` reads it. What one accepts and the other refuses is grouped by
the row it is of. TVM's answers are kept and not asked for again.
"""
import argparse
import itertools
import pathlib
import random
import re
import sys
from collections import Counter, defaultdict

from matrix import AT_ONCE, IMPORTS, answers_of, lines_of

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parents[2] / "shared" / "conformance"))
SIGNATURE = ("@T.prim_func(s_tir=True)\ndef f(A: T.Buffer((16, 16), 'float32'), B: T.Buffer((16,), 'int32'), H: T.Buffer((16,), 'float16'), L: T.Buffer((16,), 'bool'), "
             "S: T.Buffer((), 'float32'), V: T.Buffer((16,), 'float32x4'), Z: T.Buffer((16,), 'int64'), h: T.handle, n: T.int32, m: T.int64):\n")
BLOCK = "    for i in range(16):\n        with T.sblock('b'):\n            {}\n            B[0] = 1\n"
VALUES = ["0", "1", "-1", "4", "2**40", "0.5", "True", "None", "'float32'", "'x'", "'global'", "''", "[]", "[1, 2]", "()", "(n, 1)", "{}", "{'k': 1}", "{1}", "A", "A[0, 0]", "B[0]", "H[0]", "L[0]",
          "A[0]", "B[0:4]", "A[0:4, 0:4]", "n", "m", "h", "A.data", "n < 1", "n + 1", "T.int32(1)", "T.int64(1)", "T.float16(1)", "T.float32(1)", "T.bool(True)", "T.uint8(3)", "T.float32", "T.int64", "T.handle()", "T.Ptr(T.float32)", "T.exp", "T.exp(A[0, 0])",
          "...", "(lambda: 1)", "(lambda a, b: a + b)", "1j", "b'x'", "range(3)", "A.shape", "A.shape[0]", "T", "f", "q_no", "T.let", "slice(0, 4)", "T.serial(4)", "A.dtype", "1 if n < 1 else 2", "f'{n}'"]
OF_LETTER = {"e": "n", "v": "n", "x": "A[0, 0]", "T": "A[0, 0]", "c": "n < 1", "h": "h", "z": "'x'", "b": "True", "i": "4", "f": "0.5", "s": "'x1'", "n": "None", "d": "'float32'", "l": "[n, n]", "L": "[]", "t": "(n, n)", "k": "['a', 'b']",
             "m": "{}", "u": "A", "r": "A[0:4, 0:4]", "F": "T.float32", "p": "(lambda a, b: a + b)"}
ORDERS = ("evixTcbfhudslrtkLmFpnz", "xTfevicbhudslrtkLmFpnz")


def function(text, kind="body"):
    """The script with the statements in the function, or in a block of it."""
    if kind == "file":
        return IMPORTS + text + "\n"
    if kind == "block":
        return IMPORTS + SIGNATURE + BLOCK.format(text.replace("\n", "\n            "))
    return IMPORTS + SIGNATURE + "    " + text.replace("\n", "\n    ") + "\n"


def rows_of(name, number):
    found = {}
    for line in (ROOT / "analyzer" / "words" / name).read_text().splitlines():
        m = re.match(r'RLX_SCRIPT_\w+\("([^"]+)", (\d+), (\d+), (.*)\)$', line)
        if m and int(m[2], 10) <= number <= int(m[3], 10):
            found[m[1]] = m[4]
    return found


def base_of(letters, order):
    first = next((x for x in order if x in letters), None)
    return OF_LETTER[first] if first else "n"


def statements_of(call, result):
    if result == "FOR":
        return [f"for q in {call}:\n    T.evaluate(0)"]
    if result == "FRAME":
        return [f"with {call}:\n    T.evaluate(0)"]
    if result == "n":
        return [call]
    if result == "u":
        return [f"q = {call}"]
    return [f"q = {call}", f"T.evaluate({call})", call]


def calls(dialect):
    """(row, case, script)"""
    number = int(dialect.replace(".", ""))
    kinds = rows_of("script_kinds.def", number)
    for name, rest in rows_of("script_names.def", number).items():
        how, params = re.match(r'(\w+), "(.*)"$', rest).groups()
        if how == "OTHER" or name in ("register_script_namespace", "func_name"):  # they change TVM itself
            continue
        listed = [p.strip() for p in params.split(",") if p.strip() and p.strip() != "*"]
        columns = re.match(r'"(.*)", "(.*)", \d$', kinds.get(name, '"", "e", 0'))
        letters = dict(zip(listed, columns[1].split()))
        needed = [p for p in listed if p[-1] != "=" and p[0] != "*"]
        others = [p.rstrip("=") for p in listed if p[-1] == "=" and p[0] != "*"]
        for at, order in enumerate(ORDERS):
            base = [base_of(letters.get(p, "e"), order) for p in needed]
            yield from calls_of(name, base, needed, others, any(p[0] == "*" for p in listed), columns[2], at)


def calls_of(name, base, needed, others, is_open, result, at):
    def made(what, args):
        forms = statements_of(f"T.{name}({', '.join(args)})", result)
        text = forms[sum(map(ord, what)) % len(forms)]
        for kind in ("body", "block") if what == "base" or result in ("n", "?") else ("body",):
            yield f"{name} {what}", f"{kind}{at}: {text}", function(text, kind)

    yield from made("base", base)
    if at == 0:
        for k in range(len(needed)):
            yield from made("missing", base[:k])
            yield from made("by keyword", base[:k] + [f"{needed[j]}={base[j]}" for j in range(k, len(needed))])
            yield from made("twice", base + [f"{needed[k]}={base[k]}"])
        for v in ("n", "None", "'float32'"):
            yield from made("extra", base + [v])
            yield from made("unknown keyword", base + [f"q={v}"])
        yield from made("dtype", base + ["dtype='int32'"])
        yield from made("starred", [f"*[{', '.join(base)}]"])
        yield from made("starred", [f"*{v}" for v in ["n"]] + base[1:])
        yield from made("double starred", ["**{" + ", ".join(f"'{p}': {v}" for p, v in zip(needed, base)) + "}"])
    for v in VALUES:
        for k, p in enumerate(needed):
            yield from made(p, base[:k] + [v] + base[k + 1:])
        if at == 0:
            for p in others:
                yield from made(p, base + [f"{p}={v}"])
            if is_open:
                yield from made("*", base + [v])
        if len(needed) > 1:
            yield from made("all", [v] * len(needed))


def products(part):
    """(row, case, script) of the rows of sweep_rows.txt"""
    sets = {}
    for line in lines_of(HERE / "sweep_rows.txt"):
        first, name, *rest = line.replace("\\n", "\n").split("\t")
        if first == "=":
            sets[name] = rest
        elif first == part:
            kind, text = rest
            pieces = re.split(r"(?m)(^ *)?<([a-z]\w*|D2?)>", text)  # text, indentation, set, text, …
            for found in itertools.product(*[sets[s] for s in pieces[2::3]]):
                script = pieces[0]
                for value, indent, after in zip(found, pieces[1::3], pieces[3::3]):
                    script += (indent or "") + value.replace("\n", "\n" + (indent or "")) + after
                yield name, " | ".join(found), function(script, kind)


def judge(rlx, dialect, cases, known, paths, a):
    from lib import errors_of
    found, unique = {}, sorted({str(paths[c[2]]) for c in cases})
    for start in range(0, len(unique), AT_ONCE):
        found.update(rlx.files("check", unique[start:start + AT_ONCE], "--isolated", "--no-cache", f"--dialect={dialect}"))
    total, groups = Counter(), defaultdict(list)
    for row, case, text in cases:
        error, errors = known[text], errors_of(found[str(paths[text])])
        if error == "crash" or (error or "").startswith("TimeoutError"):
            total["crash of TVM"] += 1
            continue
        total["accepted" if error is None else "refused"] += 1
        if errors is None or (error is None) != (not errors):
            verdict = "no answer" if errors is None else "false alarm" if error is None else "missed"
            total[verdict] += 1
            told = errors[0]["code"] + " " + errors[0]["message"] if errors else error or ""
            groups[verdict, re.sub(r"\d+|[\"'`(\[].*", "#", told)[:70] if a.by == "told" else row].append(f"{row}: {case!r}: {told[:150]}")
    for (verdict, key), some in sorted(groups.items(), key=lambda x: (x[0][0], -len(x[1]))):
        print(f"{verdict} {len(some)}: {key}")
        for s in some[:a.list]:
            print(f"    {s}")
    alarm = 100.0 * (total["false alarm"] + total["no answer"]) / max(total["accepted"], 1)
    missed = 100.0 * total["missed"] / max(total["refused"], 1)
    print(f"{dialect}: " + ", ".join(f"{k} {v}" for k, v in total.most_common()))
    print(f"accepted {total['accepted']}, false alarm {alarm:.3f} %; refused {total['refused']}, missed {missed:.3f} %")
    return alarm > a.max_alarm or missed > a.max_missed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("--python", action="append", required=True, metavar="DIALECT=PYTHON")
    p.add_argument("--part", choices=["calls", "buffers", "places"], nargs="+", default=["calls", "buffers", "places"])
    p.add_argument("--name", nargs="+", help="only rows that begin with one of these words")
    p.add_argument("--without", nargs="+", default=[], help="no rows that begin with one of these words")
    p.add_argument("--count", type=int, default=0, help="so many scripts by chance; 0: all")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--list", type=int, default=0, help="show so many of each group of disagreements")
    p.add_argument("--by", choices=["row", "told"], default="told", help="what disagreements are grouped by: the row, or the first thing that is said")
    p.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/sweep"), help="where the scripts and TVM's answers are kept")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--max-alarm", type=float, default=100.0)
    p.add_argument("--max-missed", type=float, default=100.0)
    a = p.parse_args()
    from lib import Rlx
    folder = a.keep.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    bad = 0
    for d in a.python:
        dialect, python = d.split("=", 1)
        cases, texts = [], set()
        for row, case, text in (c for part in a.part for c in (calls(dialect) if part == "calls" else products(part))):
            if text in texts or (a.name and not row.startswith(tuple(a.name))) or row.startswith(tuple(a.without)):
                continue
            texts.add(text)
            cases.append((row, case, text))
        if a.count:
            cases = random.Random(a.seed).sample(cases, min(a.count, len(cases)))
        print(f"{dialect}: {len(cases)} scripts", flush=True)
        known, paths = answers_of(python, dialect, [c[2] for c in cases], folder, a.jobs)
        bad += judge(Rlx(a.rlx), dialect, cases, known, paths, a)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
