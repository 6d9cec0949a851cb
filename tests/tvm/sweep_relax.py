#!/usr/bin/env python3
"""Hold rlx against wheels of Apache TVM over every parameter of every function of Relax's script, and over syntax at every place.

usage: sweep_relax.py RLX --python DIALECT=PYTHON… [--part operators|words|syntax]… [--only WORD] [--count N] [--seed N] [--list N] [--keep DIR] [--jobs N]
                      [--max-alarm P] [--max-missed P]

operators: the operators of tests/ops, each with the case there that has most arguments; of those whose functions in the wheel read alike two; every parameter that the function has gets every value of
sweep_values.txt in turn, is left out, given by its name, given twice; arguments are added, starred, named as no parameter is.
words: the same for the calls of sweep_words.txt, whose arguments are marked there. syntax: every piece of Python in sweep_syntax.txt at every place of a script.
The wheel runs each script as Python does, and `rlx check` reads it. Disagreements are grouped. TVM's answers are kept and not asked for again.
"""
import argparse
import ast
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict

from wheel import ask

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ops"))
sys.path.insert(0, str(HERE.parents[2] / "shared" / "conformance"))
import cases as ops  # noqa: E402

AT_ONCE = 2000  # scripts: answers are saved between
HEADER = "from tvm.script import ir as I, relax as R, tirx as T\n\n"
# What a value may speak of: its word, the parameter that it needs, the statement, and the member of the module.
EXTRA = {"q_t": 'q_t: R.Tensor((2, 3), "float32")', "q_i": 'q_i: R.Tensor((2,), "int64")', "q_s": 'q_s: R.Tensor((), "bool")', "q_tup": 'q_tup: R.Tuple(R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32"))',
         "q_sh": "q_sh: R.Shape([2, 3])", "q_rank": "q_rank: R.Shape(ndim=2)", "q_pr": 'q_pr: R.Prim("int64")', "q_ob": "q_ob: R.Object",
         "q_f": 'q_f: R.Callable((R.Tensor((2, 3), "float32"),), R.Tensor((2, 3), "float32"))', "q_n": 'q_d: R.Tensor(("q_n", 3), "float32")', "q_any": "q_any: R.Tensor"}
MEMBERS = {"g": '@R.function\ndef g(a: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):\n    return a\n',
           "k": "@T.prim_func(s_tir=True)\ndef k(A: T.Buffer((2, 3), \"float32\"), B: T.Buffer((2, 3), \"float32\")):\n    for i, j in T.grid(2, 3):\n"
                "        with T.sblock(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            B[vi, vj] = A[vi, vj]\n",
           "p": "@I.pyfunc\ndef p(a):\n    return a\n"}
SIGNATURES = """
import inspect, json, sys
from tvm.script import ir as I, relax as R, tirx as T
out = {}
for name in json.load(sys.stdin):
    try:
        f = {"R": R, "I": I, "T": T}[name.split(".")[0]]
        for part in name.split(".")[1:]:
            f = getattr(f, part)
        source = inspect.getsource(f).replace(f.__name__, "")
        parts = source.split(chr(34) * 3)  # its documentation stands between
        source = parts[0] + parts[-1]
        out[name] = [[p.name, p.kind.name] for p in inspect.signature(f).parameters.values()], source
    except Exception:
        pass
print(json.dumps(out))
"""


def lines_of(name):
    return [s.replace("\\n", "\n") for s in (HERE / name).read_text(encoding="utf-8").splitlines() if s and not s.startswith("#")]


def used(text):
    return set(re.findall(r"\w+", text))


def indented(text, by):
    return "".join(" " * by + s + "\n" if s else "\n" for s in text.splitlines())


def script(statements, params="", symbols=(), impure=False, returned="gv"):
    """A function of these statements, in a module where they speak of its members; with the parameters that they speak of."""
    body = "\n".join(statements)
    words = used(body)
    taken = [params] * bool(params) + [p for w, p in EXTRA.items() if w in words]
    needed = [m for m in MEMBERS if f"cls.{m}" in body]
    given = [f"{s} = T.int64()" for s in symbols] + ["q_n = T.int64()"] * ("q_n" in words)
    text = f"@R.function{'(pure=False)' if impure else ''}\ndef main({', '.join(taken)}):\n" + indented("\n".join(given + list(statements) + [f"return {returned}"]), 4)
    if not needed:
        return HEADER + text
    kind = "(R.BasePyModule)" if "p" in needed else ""
    return HEADER.replace("\n\n", "\nfrom tvm.relax.base_py_module import BasePyModule\n\n" if kind else "\n\n") + f"@I.ir_module\nclass M{kind.replace('R.', '')}:\n" + "\n".join(
        indented(MEMBERS[m], 4) for m in needed) + "\n" + indented(text, 4)


def call_name(call):
    return ast.unparse(call.func)


def signatures(python, names):
    done = subprocess.run([python, "-c", SIGNATURES], input=json.dumps(sorted(names)), capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def variants(call, parameters, values):
    """(what, text) of every change of the arguments of a call; `parameters` as the wheel has them: (name, kind)."""
    text = ast.unparse(call)
    name, given = call_name(call), [ast.unparse(a) for a in call.args]
    keywords = {k.arg: ast.unparse(k.value) for k in call.keywords if k.arg}

    def put(args, kws, more=""):
        inner = args + [f"{k}={v}" for k, v in kws.items()]
        return f"{name}({', '.join(inner)}{', ' * bool(inner and more)}{more})"

    positional = [p for p, kind in parameters if kind == "POSITIONAL_OR_KEYWORD"]
    named = dict(zip(positional, given)) if len(given) <= len(positional) else {}
    for i, old in enumerate(given):
        label = positional[i] if i < len(positional) else f"*{i}"
        for v in values:
            yield f"{label}={v}", put(given[:i] + [v] + given[i + 1:], keywords)
        yield f"{label} missing", put(given[:i] + given[i + 1:], keywords)
        if not isinstance(call.args[i], ast.Name):  # of a tensor Python takes fields for ever
            yield f"{label} starred", put(given[:i] + [f"*{old}"] + given[i + 1:], keywords)
        yield f"{label} starred list", put(given[:i] + [f"*[{old}]"] + given[i + 1:], keywords)
        yield f"{label} in a list", put(given[:i] + [f"[{old}]"] + given[i + 1:], keywords)
        yield f"{label} in a tuple", put(given[:i] + [f"({old},)"] + given[i + 1:], keywords)
        yield f"{label} twice in a tuple", put(given[:i] + [f"({old}, {old})"] + given[i + 1:], keywords)
        yield f"{label} doubled", put(given[:i] + [old] + given[i:], keywords)
        if i < len(positional):
            yield f"{label} by keyword", put(given[:i], {**dict(zip(positional[i:], given[i:])), **keywords})
            yield f"{label} twice", put(given, {**keywords, positional[i]: old})
    for p, kind in parameters:
        if p in named or kind in ("VAR_POSITIONAL", "VAR_KEYWORD"):
            continue
        for v in values:
            yield f"{p}={v}", put(given, {**keywords, p: v})
        if p in keywords:
            yield f"{p} missing", put(given, {k: v for k, v in keywords.items() if k != p})
            yield f"{p} twice", put(given, keywords, f"{p}={keywords[p]}")
    for k, v in keywords.items():
        yield f"{k} in a list", put(given, {**keywords, k: f"[{v}]"})
        yield f"{k} in a tuple", put(given, {**keywords, k: f"({v},)"})
    yield "no arguments", f"{name}()"
    yield "extra 1", put(given + ["1"], keywords)
    yield "extra None", put(given + ["None"], keywords)
    yield "extra tensor", put(given + ["q_t"], keywords)
    yield "extra star", put(given + ["*()"], keywords)
    yield "extra dict", put(given, keywords, "**{}")
    yield "extra dict of names", put(given, keywords, "**{'q_k': 1}")
    yield "no such keyword", put(given, {**keywords, "q_k": "1"})
    yield "not called", name
    yield "called twice", f"{text}()"
    yield "of a field", f"{text}[0]"
    yield "with a dtype", f"{text}.dtype"


def for_wheel(text, is_of_types):
    return re.sub(r"(?<=out_)sinfo(?==)|sinfo(?=_args=)|struct_info(?=\()", "ty", text) if is_of_types else text


def speaks_of_types(python):
    return any(p[0] == "out_ty" for p in signatures(python, ["R.call_tir"])["R.call_tir"][0])


def operators(python, values):
    best, is_of_types = {}, speaks_of_types(python)
    for path in ops.files():
        for c in ops.read(path):
            try:
                call = ast.parse(for_wheel(c.call.split("; ")[-1], is_of_types), mode="eval").body
            except SyntaxError:
                continue
            if c.tvm == "error" or c.rlx.startswith("error") or not isinstance(call, ast.Call) or not call_name(call).startswith("R."):
                continue
            size = (len(call.args) + len(call.keywords), not call.keywords, "ndim" not in c.params)
            if call_name(call) not in best or size > best[call_name(call)][0]:
                best[call_name(call)] = (size, c, call)
    known, alike = signatures(python, best), Counter()
    for name, (_, c, call) in best.items():
        parameters, source = known.get(name, ([], name))
        alike[source] += 1
        if alike[source] > 2:
            continue
        before = c.call.split("; ")[:-1]
        impure = before[:1] == ["impure"]
        for what, text in variants(call, parameters, values):
            words = used(" ".join(before) + text)
            yield name, what, script(before[impure:] + [f"gv = {text}"], c.params, [s for s in ops.symbols(c.params) if s in words], impure)


def words(python, values):
    """The calls of sweep_words.txt: a place, a call, and the text of the place with `{}`."""
    is_of_types = speaks_of_types(python)
    some = [for_wheel(s, is_of_types).split("\t") for s in lines_of("sweep_words.txt")]
    parsed = [(place, ast.parse(call, mode="eval").body, text) for place, call, text in some]
    known = signatures(python, {call_name(c) for _, c, _ in parsed})
    for place, call, text in parsed:
        for what, new in variants(call, known.get(call_name(call), ([], ""))[0], values):
            yield f"{call_name(call)} {place}", what, placed(text, new)


def placed(place, new):
    """The script of a place with something in it: its lines are the body of a function, unless they hold a whole one."""
    text = place.replace("{}", new)
    if "def main" in place:
        return HEADER + text + "\n"
    lines = text.split("\n")
    returned = "q_t"
    if lines[-1].startswith("return "):
        returned = lines.pop()[7:]
    return script(lines + ([] if "q_t" in used("\n".join(lines)) or returned != "q_t" else ["q_0 = q_t"]), returned=returned, impure="call_packed" in text)


def syntax(python, _values):
    is_of_types = speaks_of_types(python)
    places, pieces = lines_of("sweep_places.txt"), lines_of("sweep_syntax.txt")
    for place in places:
        name, kind, text = place.split("\t")
        for piece in pieces:
            what, new = piece.split("\t")
            if what not in kind.split("|"):
                continue
            pad = re.search(r"^( *)\{\}", text, re.M)
            new = new.replace("\n", "\n" + (pad.group(1) if pad else ""))
            yield f"at {name}", new, for_wheel(placed(text, new), is_of_types)


def answers_of(python, dialect, texts, folder, jobs):
    """{text: None or TVM's error}, and the path of each text."""
    saved = folder / f"answers-{dialect}.json"
    known = json.loads(saved.read_text()) if saved.exists() else {}
    paths = {t: folder / f"{hashlib.md5(t.encode()).hexdigest()[:12]}.py" for t in texts}
    for t, p in paths.items():
        if not p.exists():
            p.write_text(t, encoding="utf-8")
    new = [t for t in texts if t not in known]
    for start in range(0, len(new), AT_ONCE):
        part = new[start:start + AT_ONCE]
        answers = ask(python, {str(i): str(paths[t]) for i, t in enumerate(part)}, jobs)
        known.update({t: answers[str(i)]["error"] for i, t in enumerate(part)})
        saved.write_text(json.dumps(known))
        print(f"{dialect}: {start + len(part)} of {len(new)} asked", file=sys.stderr, flush=True)
    return known, paths


def judge(rlx, dialect, cases, known, paths, a):
    from lib import errors_of
    from differ import LISTED_ALARMS as OPERATORS
    from texts import LISTED_ALARMS
    found = rlx.files("check", sorted({str(paths[t]) for _, _, t in cases}), "--isolated", "--no-cache", f"--dialect={dialect}")
    total, groups = Counter(), defaultdict(list)
    for name, what, text in cases:
        error, errors = known[text], errors_of(found.get(str(paths[text])))
        if error == "crash" or (error or "").startswith("TimeoutError"):
            total["crash of TVM"] += 1
            continue
        total["accepted" if error is None else "refused"] += 1
        if errors is None:
            verdict, key = "no answer", ""
        elif error is not None and not errors:
            verdict, key = "missed", re.sub(r"\d+|[\"'`(\[].*", "#", error)[:70]
        elif error is None and [e for e in errors if e["code"] != "RLX0353"]:
            verdict, key = "false alarm", f"{errors[0]['code']} {re.sub(r'`[^`]*`|[0-9]+', '#', errors[0]['message'])[:60]}"
            if any(re.search(r, f"{errors[0]['code']}: {errors[0]['message']}") for r in LISTED_ALARMS + OPERATORS):
                verdict = "listed"
        else:
            continue
        total[verdict] += 1
        if verdict != "listed":
            groups[verdict, key].append((name, what, text, errors[0]["message"] if errors else error))
    for (verdict, key), some in sorted(groups.items(), key=lambda x: (x[0][0], -len(x[1]))):
        print(f"{verdict} {len(some)}: {key}")
        for name, what, text, told in some[:a.list]:
            print(f"    {paths[text].name} {name}: {what!r}: {told[:160]!r}")
    alarm = 100.0 * (total["false alarm"] + total["no answer"]) / max(total["accepted"], 1)
    missed = 100.0 * total["missed"] / max(total["refused"], 1)
    print(f"{dialect}: " + ", ".join(f"{k} {v}" for k, v in total.most_common()))
    print(f"accepted {total['accepted']}, false alarm {alarm:.3f} %; refused {total['refused']}, missed {missed:.3f} %")
    return not cases or alarm > a.max_alarm or missed > a.max_missed


PARTS = {"operators": operators, "words": words, "syntax": syntax}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("--python", action="append", required=True, metavar="DIALECT=PYTHON")
    p.add_argument("--part", action="append", choices=PARTS)
    p.add_argument("--only", help="only functions and places with this word in their name")
    p.add_argument("--count", type=int, default=0, help="so many scripts by chance; 0: all")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--list", type=int, default=0, help="show the first N of every group")
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
        values, cases, seen = lines_of("sweep_values.txt"), [], set()
        for part in a.part or PARTS:
            for c in PARTS[part](python, values):
                if c[2] not in seen and (not a.only or a.only in c[0]):
                    seen.add(c[2])
                    cases.append(c)
        if a.count:
            cases = random.Random(a.seed).sample(cases, min(a.count, len(cases)))
        known, paths = answers_of(python, dialect, [t for _, _, t in cases], folder, a.jobs)
        bad += judge(Rlx(a.rlx), dialect, cases, known, paths, a)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
