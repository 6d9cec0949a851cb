#!/usr/bin/env python3
"""Hold rlx against an installed Apache TVM over random mutations of whole Relax programs.

usage: mutants.py RLX [--dialect 0.25|0.27] [--corpus DIR] [--kind FOLDER]… [--files FILE… [--as-is]] [--count N] [--seed N] [--mutation NAME] [--list N] [--keep DIR]
                  [--save FILE] [--load FILE] [--jobs N] [--max-alarm P] [--max-missed P] [--min-sinfo P]

A program of ../shared/corpus/relax is changed in one or two places (mutate.py). Python runs it as a file, decorators and all, TVM checks whether
it is well-formed and says what every parameter, binding and result is; rlx is asked the same. What differs is grouped by verdict, code or TVM's message, and mutation.
Verdicts: right; false alarm (TVM accepts, rlx does not); missed (the other way round); coarser, different, missing (StructInfo); finer counts
as right. Disagreements that docs/differences.md has are set apart as "listed". TVM runs in forked processes; what kills one is no verdict.
Needs `../shared/corpus/relax`, `../shared/conformance/{lib,relax}.py` and the Python package tvm.
"""
import argparse
import ast
import json
import linecache
import os
import pathlib
import random
import re
import signal
import sys
import tempfile
from collections import Counter, defaultdict

from differ import SHARED, ask_tvm
from mutate import MUTATIONS, mutate
from wheel import leave_builders

KINDS = ("as-written", "printed", "stripped", "needs-python", "mutated", "errors")

# Entries of docs/differences.md: what rlx reports and TVM accepts, by code and message; what TVM refuses and rlx does not, by TVM's message.
# A nested operand or a field of no tuple under an annotation is told by its line.
# Python itself evaluates a signature's annotations: a bare name in them stops a script, and not a text that is given to the parser.
LISTED_ALARMS = [r"RLX0201: .*: a symbolic dimension of a signature is a string", r"RLX0353", r"RLX0451", r"RLX0437", r"RLX0452", r"RLX0362", r"RLX0434", r"RLX0208: .*no value", r"RLX0454: `pyfunc` of I", r"RLX0364", r"RLX0301: .* found a new symbolic variable",
                 r"RLX0427: .*, the callee's", r"RLX0440: .* T\.int32\(\d+\), the callee's", r"RLX0440: (output|input) \d+ of .*: dimension \d+", r"RLX0438: .* found R\.Callable",
                 r"RLX0350: annotated as R\.Tensor\(.*dtype=.*, but the value is R\.Tensor\((?!.*dtype=).*: (the number of dimensions|dimension)"]
LISTED_MISSES = [r"ndim is required to be known", r"already defined in current scope", r"^Var \w+ is not defined", r"IRModule frame not find"]


def programs(corpus, kinds):
    """The standing programs: name, statements before the program (imports among them), the program itself."""
    out = []
    for kind in kinds:
        for j in sorted((corpus / kind).glob("*.json")):
            gold = json.loads(j.read_text())
            if not gold.get("standalone", True) or gold.get("needs_metadata"):
                continue
            try:
                tree = ast.parse(j.with_suffix(".py").read_text())
            except SyntaxError:
                continue
            main = [s for s in tree.body if isinstance(s, (ast.ClassDef, ast.FunctionDef)) and s.decorator_list]
            if len(main) == 1 and len(ast.unparse(main[0])) < 20000:
                out.append((j.stem, [s for s in tree.body if s is not main[0]], main[0]))
    return out


def programs_of(files):
    """Every decorated class and function of some Python files, on their own; "#---" parts a file as well."""
    out = []
    for f in files:
        for part in f.read_text().split("#---\n"):
            try:
                body = ast.parse(part).body
            except SyntaxError:
                continue
            islands = [s for s in body if isinstance(s, (ast.ClassDef, ast.FunctionDef)) and s.decorator_list]
            before = [s for s in body if isinstance(s, (ast.ImportFrom, ast.Import, ast.Assign))]
            out += [(f"{f.stem}.{s.name}", before, s) for s in islands]
    return out


def as_they_are(base):
    return [{"from": name, "how": ["as it is"], "prelude": "".join(ast.unparse(s) + "\n" for s in before), "source": ast.unparse(main) + "\n"}
            for name, before, main in base]


def mutants(base, count, seed, only):
    rng = random.Random(seed)
    seen, out = set(), []
    for _ in range(count * 6):
        if len(out) == count:
            break
        name, before, main = rng.choice(base)
        how = []
        tree = ast.parse(ast.unparse(main))
        for _ in range(rng.choice([1, 1, 1, 2])):
            how += [h for h in [mutate(tree, rng, only)] if h]
        if not how:
            continue
        try:
            text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        if text not in seen:
            seen.add(text)
            prelude = "".join(ast.unparse(s) + "\n" for s in before)
            out.append({"from": name, "how": how, "prelude": prelude, "source": text})
    return out


def script(case):
    return case["prelude"] + "\n" + case["source"]


def describe(module, relax, alone):
    """[{name, params, ret, bindings}] of the Relax functions, every StructInfo as text; none of what is no IRModule."""
    def sinfo_of(var):  # from 0.26 on it is the variable's type, and Any is what Object was
        return str(var.struct_info if hasattr(var, "struct_info") else var.ty).replace("R.Any", "R.Object")

    def name_of(var):
        return var.name_hint if hasattr(var, "name_hint") else var.name

    def bindings(body):
        for block in body.blocks if isinstance(body, relax.SeqExpr) else []:
            for b in block.bindings:
                yield [name_of(b.var), sinfo_of(b.var)]
                if isinstance(b, relax.VarBinding):
                    if isinstance(b.value, relax.If):
                        yield from bindings(b.value.true_branch)
                        yield from bindings(b.value.false_branch)
                    elif isinstance(b.value, relax.Function):
                        yield from bindings(b.value.body)

    if isinstance(module, relax.Function):
        found = {module.attrs["global_symbol"] if module.attrs and "global_symbol" in module.attrs else alone: module}
    else:
        found = {g.name_hint: f for g, f in module.functions.items()} if hasattr(module, "functions") else {}
    return [{"name": name, "params": [[name_of(p), sinfo_of(p)] for p in f.params],
             "ret": str(f.ret_struct_info if hasattr(f, "ret_struct_info") else f.ret_ty).replace("R.Any", "R.Object"),
             "bindings": list(bindings(f.body))} for name, f in found.items() if isinstance(f, relax.Function)]


def run(text, path, name):
    """What the file `path` with `text` binds `name` to once Python has run it."""
    pathlib.Path(path).write_text(text, encoding="utf-8")
    linecache.clearcache()
    module = type(sys)("island")
    module.__file__ = path
    sys.modules["island"] = module  # where TVM's parser looks for the source of a class
    try:
        exec(compile(text, path, "exec"), module.__dict__)
    finally:
        del sys.modules["island"]
    return getattr(module, name)


def reference(cases, name):
    """Fills in `functions` or `error` (with `line`, `stage`) of every case; runs in a process of its own."""
    import tvm.script.parser  # noqa: F401
    from tvm import IRModule, relax
    from tvm.script.parser.core.parser import Parser

    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    first, report = [], Parser.report_error

    def watched(self, node, err):
        lines = [s for s in str(err).strip().splitlines() if s.strip()]
        first.append((getattr(node, "lineno", None), (lines[-1] if lines else "") or type(err).__name__))
        return report(self, node, err)

    Parser.report_error = watched
    with open(name, "a", encoding="utf-8") as out:
        for k, c in cases:
            print(json.dumps({"k": k}), file=out, flush=True)
            answer, first[:] = {"k": k}, []
            signal.alarm(30)
            try:
                main = re.findall(r"^(?:def|class) (\w+)", c["source"], re.M)[-1]
                found = run(script(c), f"{name}.py", main)
                try:  # a macro, a module of Python's functions and the like were verified as far as their decorators do
                    if isinstance(found, (IRModule, relax.Function)):
                        relax.analysis.well_formed(found)
                except BaseException as e:  # noqa: BLE001
                    answer.update(error=(str(e).strip() or type(e).__name__)[-300:], stage="well-formed")
                else:
                    answer["functions"] = describe(found, relax, main)
            except BaseException as e:  # noqa: BLE001  whatever TVM raises is a refusal
                answer.update(error=(first[0][1] if first else str(e).strip() or type(e).__name__)[:300], stage="parse", line=first[0][0] if first else None)
            signal.alarm(0)
            print(json.dumps(answer), file=out, flush=True)
            if not leave_builders():
                os._exit(0)


def judge(rlx, cases, keep, options=()):
    """Sets `verdict` and `key` (the group) of every case, and counts StructInfo."""
    from lib import EQUAL, FINER, compare, errors_of, parse_sinfo
    from relax import align, functions_of

    sinfo, lines = Counter(), Counter()
    with tempfile.TemporaryDirectory() as tmp:
        tmp = keep.resolve() if keep else pathlib.Path(tmp).resolve()
        tmp.mkdir(exist_ok=True)
        paths = [str(tmp / f"m{i}.py") for i in range(len(cases))]
        for c, p in zip(cases, paths):
            pathlib.Path(p).write_text(script(c), encoding="utf-8")
        inferred, checked = rlx.files("infer", paths, *options), rlx.files("check", paths, *options)
        for c, p in zip(cases, paths):
            errors = errors_of(checked.get(p))
            c["path"], c["rlx"] = p, errors and f"line {errors[0]['range']['start']['line'] + 1}: {errors[0]['code']}: {errors[0]['message']}"
            if errors is None:
                c["verdict"], c["key"] = "no answer", ""
            elif c.get("stage") == "crash":
                c["verdict"] = "crash of TVM"
            elif "error" in c:
                c["verdict"] = "right" if errors else "missed"
                c["key"] = re.sub(r"\d+|[\"'`(\[].*", "#", c["error"].splitlines()[-1])[:60]
                if any(re.search(r, c["error"]) for r in LISTED_MISSES) and not errors:
                    c["verdict"] = "listed"
                if errors and c["stage"] == "parse" and c["line"]:
                    ours = errors[0]["range"]["start"]["line"] + 1
                    lines["right" if ours == c["line"] else "earlier" if ours < c["line"] else "later"] += 1
                    c["lines"] = [ours, c["line"]]
            elif errors:
                c["verdict"], c["key"] = "false alarm", f"{errors[0]['code']} {re.sub(r'`[^`]*`|[0-9]+', '#', errors[0]['message'])[:50]}"
                line = script(c).splitlines()[errors[0]["range"]["start"]["line"]]
                unchecked = errors[0]["code"] in ("RLX0350", "RLX0358") and re.search(r"\w\[.*\]$|\(.*[(\[].*\)", line.partition("= ")[2])
                if unchecked or any(re.search(r, c["rlx"]) for r in LISTED_ALARMS):
                    c["verdict"] = "listed"
            else:
                c["verdict"], mine, worst = "right", functions_of(inferred.get(p, {})), {}
                for fn in c["functions"]:
                    our = mine.get(fn["name"]) or {}
                    theirs = [{"var": n, "sinfo": s} for n, s in fn["bindings"]]
                    params = our.get("params") or []
                    pairs = [("result", our.get("ret_sinfo"), fn["ret"])]
                    pairs += [(n, params[i].get("sinfo") if i < len(params) else None, s) for i, (n, s) in enumerate(fn["params"])]
                    pairs += [(t["var"], o.get("sinfo"), t["sinfo"]) for o, t in align(our.get("bindings") or [], theirs)]
                    for where, o, t in pairs:
                        gold = parse_sinfo(t.splitlines()[-1])
                        how = "golden not read" if gold is None else "missing" if o is None else compare(o, gold)
                        sinfo[how] += 1
                        if how not in (EQUAL, "golden not read"):
                            worst.setdefault(how, f"{fn['name']}.{where}: ours {json.dumps(o)} TVM {t}")
                for how in ("missing", "different", "coarser", FINER):
                    if how in worst:
                        c["verdict"], c["key"], c["rlx"] = how, "", worst[how]
                        break
    return sinfo, lines


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("--corpus", type=pathlib.Path, default=SHARED / "corpus" / "relax")
    p.add_argument("--kind", action="append")
    p.add_argument("--dialect", help="that of the installed TVM; without it rlx recognises it")
    p.add_argument("--files", type=pathlib.Path, nargs="+", help="the islands of these Python files instead of the corpus")
    p.add_argument("--as-is", action="store_true", help="no mutations")
    p.add_argument("--count", type=int, default=2000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--mutation", choices=sorted(MUTATIONS))
    p.add_argument("--list", type=int, default=0, help="show the first N of every group of disagreements")
    p.add_argument("--lines", type=int, default=0, help="show the first N whose first error is on another line")
    p.add_argument("--finer", action="store_true", help="list what is finer, too")
    p.add_argument("--keep", type=pathlib.Path, help="write the mutants into this folder")
    p.add_argument("--save", type=pathlib.Path, help="write the mutants with TVM's answers")
    p.add_argument("--load", type=pathlib.Path, help="read them instead of asking TVM")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--max-alarm", type=float, default=100.0, help="percent of what TVM accepts that rlx may refuse")
    p.add_argument("--max-missed", type=float, default=100.0, help="percent of what TVM refuses that rlx may accept")
    p.add_argument("--min-sinfo", type=float, default=0.0, help="percent of StructInfo that is equal or finer")
    a = p.parse_args()
    try:
        from lib import EQUAL, FINER, Rlx
    except ImportError:
        sys.exit("../shared/conformance is not there")
    if a.load:
        cases = json.loads(a.load.read_text())
    else:
        base = programs_of(a.files) if a.files else programs(a.corpus, a.kind or KINDS)
        cases = ask_tvm(as_they_are(base) if a.as_is else mutants(base, a.count, a.seed, a.mutation), a.jobs, reference)
    if a.save:
        a.save.write_text(json.dumps(cases))
    sinfo, lines = judge(Rlx(a.rlx), cases, a.keep, [f"--dialect={a.dialect}"] if a.dialect else [])
    groups, total = defaultdict(list), Counter()
    shown_lines = 0
    for c in cases:
        total[c["verdict"]] += 1
        if c["verdict"] in ("false alarm", "missed", "missing", "different", "coarser", "no answer") or (a.finer and c["verdict"] == FINER):
            groups[c["verdict"], c["key"]].append(c)
        ours, theirs = c.get("lines", (0, 0))
        if ours != theirs and shown_lines < a.lines:
            shown_lines += 1
            print(f"line: {c['path']}: {'+'.join(c['how'])}: TVM {theirs}: {c['error'][:110]!r}; rlx {c['rlx'][:150]}")
    for (verdict, key), found in sorted(groups.items(), key=lambda x: (x[0][0], -len(x[1]))):
        print(f"{verdict} {len(found)}: {key}: {dict(Counter(h for c in found for h in c['how']))}")
        for c in found[:a.list]:
            print(f"    {c['path'] if a.keep else c['from']} {'+'.join(c['how'])}: rlx {str(c['rlx'])[:230]}" + (f"; TVM {c['error'][-200:]!r}" if "error" in c else ""))
    accepted = sum("functions" in c for c in cases)
    refused = sum("error" in c and c["stage"] != "crash" for c in cases)
    alarm, missed = 100.0 * total["false alarm"] / max(accepted, 1), 100.0 * total["missed"] / max(refused, 1)
    equal = 100.0 * (sinfo[EQUAL] + sinfo[FINER]) / max(sum(sinfo.values()), 1)
    print(f"{len(cases)} mutants: " + ", ".join(f"{k} {v}" for k, v in total.most_common()))
    print(f"accepted {accepted}, false alarm {alarm:.3f} %; refused {refused}, missed {missed:.3f} %; StructInfo {equal:.3f} % of {sum(sinfo.values())}, "
          f"finer {100.0 * sinfo[FINER] / max(sum(sinfo.values()), 1):.3f} %; first lines {dict(lines)}")
    return 1 if not cases or alarm > a.max_alarm or missed > a.max_missed or equal < a.min_sinfo else 0


if __name__ == "__main__":
    sys.exit(main())
