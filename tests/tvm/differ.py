#!/usr/bin/env python3
"""Hold rlx against an installed Apache TVM over random variations of the operator cases.

usage: differ.py RLX [--cases FILE] [--count N] [--seed N] [--matrix] [--op NAME] [--list N] [--save FILE] [--load FILE] [--jobs N]

Every variation changes one to three places of a case's script: a dimension, the rank, the dtype or the kind of a parameter's annotation, a
number, string, flag, keyword or operand of the call. TVM parses it and says what `gv` is, or refuses; rlx is asked the same.
What differs is listed by operator. The exit status is 1 when more than --max percent differ. TVM runs in forked
processes, so its crashes are answers, too (and anything but a crash of rlx is right there).
Needs `../shared/ops`, `../shared/conformance/lib.py` and the Python package tvm.
"""
import argparse
import ast
import json
import multiprocessing
import os
import pathlib
import random
import re
import signal
import sys
import tempfile
from collections import Counter, defaultdict

import joint

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
sys.path.insert(0, str(SHARED / "conformance"))

HEADER = "from tvm.script import ir as I, relax as R, tirx as T\n\n"
DTYPES = ["float32", "float16", "float64", "bfloat16", "int32", "int64", "int8", "uint8", "uint32", "bool", "int16"]
FINE = ("right", "finer", "listed")
# What docs/differences.md lists: rlx reports it and TVM accepts it.
LISTED_ALARMS = [r"RLX0208: no value|RLX0208.*has no value", r"RLX0362: `(True|False)` is not a dimension", r"alloc_(tensor|storage) expects a shape", r"can't be broadcast",
                 r"`num_workers` is", r"this match_cast can never succeed", r"RLX0452", r"RLX0364", r"RLX0350", r"RLX0319: .* layout \"\w*(\w)\w*\1",
                 r"RLX0301: .* found the string"]
DIMS = [0, 1, 1, 2, 3, 4, 5, 6, 8, 16, "n", "m", "q"]
WORDS = ["NCHW", "NHWC", "NCW", "NWC", "NCDHW", "NCHW4c", "OIHW", "HWIO", "OHWI", "float32", "float16", "int32", "", "mean", "sum", "none",
         "constant", "reflect", "bilinear", "nearest_neighbor", "update", "add", "both", "values", "align_corners", "half_pixel"]
ANNOTATIONS = ["R.Object", "R.Tensor", "R.Shape", "R.Shape(ndim=2)", "R.Shape([2, 3])", 'R.Shape(["n", 3])', 'R.Prim("int64")', 'R.Prim("float32")',
               'R.Tuple(R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32"))', 'R.Tuple(R.Tensor((1, "n")), R.Tensor(ndim=2))',
               "R.Tuple()", "R.Callable", 'R.Shape([])', 'R.Prim(value=4)', 'R.Tensor((0,), "float32")', "R.Tensor()", 'R.Tensor((), "float32")', 'R.Tensor((), "int64")', 'R.Tensor("float32", ndim=3)', 'R.Tensor((2, 3, 4), "float32")']


def is_r(node, name):
    f = node.func if isinstance(node, ast.Call) else node
    return isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name) and f.value.id == "R" and f.attr == name


class Variation:
    """One change of a script, drawn by `rng`; `known` are the attributes that the operator has in other cases."""

    def __init__(self, tree, rng, known):
        self.tree, self.rng, self.known = tree, rng, known
        self.fn = next(f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and f.name == "main")

    def dim(self, in_signature=True):
        d = self.rng.choice(DIMS)
        if isinstance(d, str):
            return ast.Constant(d) if in_signature else None
        return ast.Constant(d)

    def dims_in_use(self):
        """The dimensions of all parameters, for operands that share theirs."""
        found = [e for a in self.fn.args.args if a.annotation for n in ast.walk(a.annotation) if isinstance(n, (ast.Tuple, ast.List))
                 for e in n.elts if isinstance(e, ast.Constant)]
        return found or [ast.Constant(2)]

    def tensor(self, node):
        """A change of R.Tensor(…)."""
        rng = self.rng
        shape = next((a for a in node.args if isinstance(a, (ast.Tuple, ast.List))), None)
        what = rng.choice(["dim", "dim", "dim", "share", "scalar", "drop", "add", "ndim", "any", "dtype", "dtype", "nodtype"])
        if what == "share" and shape is not None and shape.elts:
            shape.elts[rng.randrange(len(shape.elts))] = ast.Constant(rng.choice(self.dims_in_use()).value)
        elif what in ("share", "scalar") and shape is not None:
            shape.elts = []
        elif what in ("dim", "drop", "add") and shape is not None:
            k = rng.randrange(len(shape.elts) + 1)
            if what == "add" or not shape.elts:
                shape.elts.insert(k, self.dim())
            elif what == "drop":
                del shape.elts[k - 1]
            else:
                shape.elts[k - 1] = self.dim()
        elif what in ("ndim", "any"):
            node.args = [a for a in node.args if not isinstance(a, (ast.Tuple, ast.List))]
            node.keywords = [k for k in node.keywords if k.arg not in ("ndim", "shape")]
            if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                node.keywords = [ast.keyword("dtype", node.args[0])]
                node.args = []
            if what == "ndim":
                rank = len(shape.elts) if shape is not None and rng.random() < 0.7 else rng.randrange(5)
                node.keywords.append(ast.keyword("ndim", ast.Constant(rank)))
        else:
            node.keywords = [k for k in node.keywords if k.arg != "dtype"]
            node.args = [a for a in node.args if not (isinstance(a, ast.Constant) and isinstance(a.value, str))]
            if what != "nodtype":
                node.keywords.append(ast.keyword("dtype", ast.Constant(rng.choice(DTYPES))))

    def annotation(self):
        rng = self.rng
        if not self.fn.args.args:
            return self.call()
        a = rng.choice(self.fn.args.args)
        tensors = [n for n in ast.walk(a.annotation) if isinstance(n, ast.Call) and is_r(n, "Tensor")] if a.annotation else []
        if tensors and rng.random() < 0.93:
            self.tensor(rng.choice(tensors))
        elif rng.random() < 0.4:
            a.annotation = ast.parse(rng.choice(ANNOTATIONS), mode="eval").body
        else:
            shapes = [n for n in ast.walk(a.annotation) if isinstance(n, ast.List)] if a.annotation else []
            if shapes:
                s = rng.choice(shapes)
                if s.elts and rng.random() < 0.6:
                    s.elts[rng.randrange(len(s.elts))] = self.dim()
                else:
                    s.elts.append(self.dim())
            else:
                self.call()

    def call(self):
        """A change in the statement that binds gv."""
        rng = self.rng
        statement = next((s for s in ast.walk(self.fn) if isinstance(s, ast.Assign) and getattr(s.targets[0], "id", "") == "gv"), None)
        if statement is None:
            return
        places = []
        for parent in ast.walk(statement.value):
            for field, value in ast.iter_fields(parent):
                if field in ("func", "ctx", "value") and isinstance(parent, ast.Attribute):
                    continue
                for k, child in enumerate(value if isinstance(value, list) else [value]):
                    if isinstance(child, (ast.Constant, ast.UnaryOp, ast.Tuple, ast.List)):
                        places.append((parent, field, k if isinstance(value, list) else None, child))
        outer = statement.value
        if isinstance(outer, ast.Call) and rng.random() < 0.25 and self.operands(outer):
            return
        if isinstance(outer, ast.Call) and (rng.random() < 0.35 or not places):
            if outer.keywords and rng.random() < 0.3:
                outer.keywords.remove(rng.choice(outer.keywords))
                return
            if self.known:
                name, value = rng.choice(self.known)
                if all(k.arg != name for k in outer.keywords):
                    outer.keywords.append(ast.keyword(name, ast.parse(value, mode="eval").body))
                    return
        if not places:
            return
        parent, field, k, child = rng.choice(places)
        new = self.changed(child)
        if k is None:
            setattr(parent, field, new)
        else:
            getattr(parent, field)[k] = new

    def operands(self, call):
        """A change of which operands a call has, and of what kind; False when it has none."""
        rng = self.rng
        names = [a.arg for a in self.fn.args.args]
        what = rng.choice(["missing", "extra", "keyword", "tuple", "other", "shape", "scalar", "none"])
        if what == "extra":
            call.args.append(ast.parse(rng.choice(["1", "None", "True", '"float32"', "1.5", "[0]"] + names), mode="eval").body)
            return True
        if what == "keyword":
            if call.keywords and rng.random() < 0.5:
                call.args.append(call.keywords.pop(0).value)
            else:
                call.keywords.append(ast.keyword(rng.choice(["axis", "dtype", "keepdims", "x", "no_such"]), ast.Constant(rng.choice([0, 1, None]))))
            return True
        slots = [(call.args, k) for k in range(len(call.args))] + [(k, None) for k in call.keywords]
        if not slots:
            return False
        place, k = rng.choice(slots)
        old = place[k] if k is not None else place.value
        text = ast.unparse(old)
        if what == "missing" and k is not None:
            del place[k]
            return True
        if what == "tuple":
            new = rng.choice([f"({text},)", f"({text}, {text})", f"[{text}]", f"({text})[0]" if isinstance(old, ast.Tuple) else f"({text}, {text})"])
        elif what == "shape":
            if not isinstance(old, (ast.Tuple, ast.List)):
                return False
            new = rng.choice([f"R.shape([{', '.join(ast.unparse(e) for e in old.elts)}])", "sh", "[n, 2]", "R.shape([n, 2])", "(2.0, 3)", "[True, 2]"])
            self.need(new)
        elif what == "scalar":
            if not isinstance(old, (ast.Constant, ast.UnaryOp)):
                return False
            plain = text if isinstance(getattr(old, "value", 0), (int, float)) else "1"
            new = rng.choice([f"R.prim_value({plain})", f"R.const({plain})", "n", "n + 1", "R.prim_value(n)", f"T.int64({plain})" if "." not in plain else "1", f"[{text}]",
                              "2.0", "True"])
            self.need(new)
        elif what == "none":
            new = "None"
        else:
            new = rng.choice(names) if names else "None"
        new = ast.parse(new, mode="eval").body
        if k is not None:
            place[k] = new
        else:
            place.value = new
        return True

    def need(self, text):
        """Declares what `text` uses: a symbolic variable n that a parameter binds, a shape `sh`."""
        names = {a.arg for a in self.fn.args.args}
        used = {x.id for x in ast.walk(ast.parse(text)) if isinstance(x, ast.Name)}
        if "sh" in used and "sh" not in names:
            self.fn.args.args.append(ast.arg("sh", ast.parse(self.rng.choice(["R.Shape([2, 3])", 'R.Shape(["n", 4])', "R.Shape(ndim=2)", "R.Shape"]), mode="eval").body))
        if "n" in used and "n" not in names:
            if '"n"' not in "".join(ast.unparse(a.annotation) for a in self.fn.args.args if a.annotation).replace("'", '"'):
                self.fn.args.args.append(ast.arg("shn", ast.parse('R.Shape(["n"])', mode="eval").body))
            declared = {t.id for b in self.fn.body if isinstance(b, ast.Assign) for t in b.targets if isinstance(t, ast.Name)}
            if "n" not in declared:
                self.fn.body.insert(0, ast.parse("n = T.int64()").body[0])

    def changed(self, child):
        rng = self.rng
        if isinstance(child, (ast.Tuple, ast.List)):
            elts = list(child.elts)
            if elts and rng.random() < 0.5:
                del elts[rng.randrange(len(elts))]
            else:
                elts.insert(rng.randrange(len(elts) + 1), elts[-1] if elts and rng.random() < 0.5 else ast.Constant(rng.choice([0, 1, 2, -1, 7, 1.5, True, None])))
            return type(child)(elts, ast.Load())
        value = child.value if isinstance(child, ast.Constant) else -1
        if isinstance(value, bool):
            return ast.Constant(rng.choice([not value, not value, 0, 1, 1.0, None, "True"]))
        if isinstance(value, str):
            return ast.Constant(rng.choice(DTYPES if value in DTYPES else WORDS))
        if value is None:
            return ast.Constant(rng.choice([0, 1, True, "int32"]))
        if isinstance(value, float):
            return ast.Constant(rng.choice([0.0, 1.5, 2, -0.5, True, None]))
        new = rng.choice([-9, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 10, 1.0, None])
        return ast.Constant(None) if new is None and rng.random() < 0.3 and isinstance(child, ast.Constant) else ast.parse(str(1 if new is None else new), mode="eval").body


def variations(cases, count, seed, names, only=None):
    """`count` distinct scripts, spread evenly over the operators; `names` are those of an operator's parameters."""
    rng = random.Random(seed)
    by_op, known = defaultdict(list), defaultdict(set)
    for c in cases:
        if c.get("stage") == "crash":
            continue
        by_op[c["op"]].append(c)
        for n in ast.walk(ast.parse(c["source"])):
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and c["op"].endswith("." + n.func.attr):
                known[c["op"]].update((k.arg, ast.unparse(k.value)) for k in n.keywords if k.arg and not
                                      any(isinstance(x, ast.Name) for x in ast.walk(k.value)))
    seen = {c["source"] for c in cases}
    out, ops = [], sorted(by_op)
    tries = 0
    while len(out) < count and tries < count * 4:
        op = ops[tries % len(ops)]
        tries += 1
        c = rng.choice(by_op[op])
        tree = ast.parse(c["source"])
        v, how = Variation(tree, rng, sorted(known[op])), []
        if only or rng.random() < 0.6:
            for _ in range(rng.choice([1, 1, 1, 2])):
                how.append(only or rng.choice(sorted(joint.KINDS)))
                joint.KINDS[how[-1]](joint.Case(tree, names.get(op, [])), rng)
        for _ in range(rng.choice([0, 0, 1]) if how else rng.choice([1, 1, 2, 3])):
            how.append("one")
            v.annotation() if rng.random() < 0.6 else v.call()
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        if text not in seen:
            seen.add(text)
            out.append({"op": op, "source": text, "from": c["id"], "how": how})
    return out


KINDS = ['"foo"', '"float32"', "True", "1", "-1", "1.0", "1.5", "None", "[0]", "[1, 1]", "[]", "(1.0, 2)", '["a"]', "[None]", "[True]", "{}", "{'a': 1}", "R.prim_value(1)",
         "R.const(1)", "R.shape([2, 3])", "T.int64(1)", "T.float32(1.0)", "T.bool(True)", 'R.dtype("int32")', 'T.FloatImm("float32", 0.5)', 'R.str("a")', "OPERAND", "(OPERAND, OPERAND)", "[OPERAND]"]


def matrix(cases, rows):
    """Every parameter of every operator with a value of every kind, in one case that TVM takes."""
    out, by_op = [], defaultdict(list)
    for c in cases:
        if c.get("expect") and "match_cast" not in c["source"]:
            by_op[c["op"]].append(c)
    for row in rows:
        names = [p["name"] for p in row["params"] if not str(p.get("name", "")).startswith("*")]
        scripts = {s.split(".", 1)[1] for s in row["script"] if s.startswith("R.")}

        def call_of(tree):
            for s in ast.walk(tree):
                if isinstance(s, ast.Assign) and getattr(s.targets[0], "id", "") == "gv" and isinstance(s.value, ast.Call) and \
                        ast.unparse(s.value.func)[2:] in scripts:
                    return s.value
            return None

        usable = [c for c in by_op[row["op"]] if call_of(ast.parse(c["source"]))]
        for k, name in enumerate(names):
            def given(c):
                call = call_of(ast.parse(c["source"]))
                return len(call.args) > k or any(x.arg == name for x in call.keywords)

            base = next((c for c in usable if given(c)), usable[0] if usable else None)
            if base is None:
                continue
            for kind in KINDS:
                tree = ast.parse(base["source"])
                call = call_of(tree)
                operand = next((a.arg for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and f.name == "main" for a in f.args.args), None)
                if any(isinstance(a, ast.Starred) for a in call.args) or ("OPERAND" in kind and not operand):
                    continue
                value = ast.parse(kind.replace("OPERAND", operand or ""), mode="eval").body
                call.keywords = [x for x in call.keywords if x.arg != name]
                if len(call.args) > k:
                    call.args[k] = value
                else:
                    call.keywords.append(ast.keyword(name, value))
                out.append({"op": row["op"], "source": ast.unparse(ast.fix_missing_locations(tree)) + "\n", "from": base["id"], "kind": f"{name}={kind}"})
    return out


def sinfo_of(var):
    """The variable's StructInfo as text; from 0.26 on it is its type, and Any is what Object was."""
    text = str(var.struct_info if hasattr(var, "struct_info") else var.ty).replace("R.Any", "R.Object").replace("T.Tuple", "R.Tuple")
    return "R.Tuple()" if text == "None" else f'R.Prim("{text}")' if re.fullmatch(r"[a-z]+\d*", text) else text


def name_of(var):
    return var.name_hint if hasattr(var, "name_hint") else var.name


def reference(cases, name):
    """Fills in `expect` or `error` of every case; runs in a process of its own."""
    import tvm.script.parser as parser
    from tvm import relax
    from tvm.script.parser import ir as I, relax as R, tirx as T

    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    with open(name, "a", encoding="utf-8") as out:
        for k, c in cases:
            print(json.dumps({"k": k}), file=out, flush=True)
            answer = {"k": k}
            signal.alarm(10)
            try:
                found = parser.parse(c["source"], {"I": I, "R": R, "T": T})
                fn = found if isinstance(found, relax.Function) else found["main"]
                bound = [b.var for block in fn.body.blocks for b in block.bindings if name_of(b.var) == "gv"]
                answer["expect"] = sinfo_of(bound[-1]) if bound else None
            except BaseException as e:  # noqa: BLE001  whatever TVM raises is a refusal
                lines = [s for s in str(e).strip().splitlines() if s.strip() and not set(s) <= set(" |^")]
                answer["error"] = (next((s for s in lines if s.startswith("error:")), lines[-1]) if lines else type(e).__name__)[:300]
            print(json.dumps(answer), file=out, flush=True)


def ask_tvm(cases, jobs, ask=reference):
    """Answers of TVM, which `ask(cases, file)` writes down as lines of JSON; what kills its process is a crash."""
    todo = list(enumerate(cases))
    with tempfile.TemporaryDirectory() as tmp:
        parts = [todo[j::jobs] for j in range(jobs)]
        names = [os.path.join(tmp, f"{j}.jsonl") for j in range(jobs)]
        while any(parts):
            running = [multiprocessing.get_context("fork").Process(target=ask, args=(p, n)) for p, n in zip(parts, names) if p]
            for r in running:
                r.start()
            for r in running:
                r.join()
            for j, name in enumerate(names):
                started = set()
                if os.path.exists(name):
                    with open(name, encoding="utf-8") as f:
                        for line in f:
                            a = json.loads(line)
                            started.add(a["k"])
                            cases[a["k"]].update({x: a[x] for x in a if x != "k"})
                for k in started:
                    if not {"expect", "error", "functions"} & set(cases[k]):
                        cases[k].update(error="crash", stage="crash")
                parts[j] = [p for p in parts[j] if p[0] not in started]
    return cases


def gv_of(entry):
    for module in entry.get("modules") or []:
        for fn in module.get("functions") or []:
            if fn.get("name") == "main":
                for b in reversed(fn.get("bindings") or []):
                    if b.get("name") == "gv":
                        return b.get("sinfo")
    return None


def judge(rlx, cases, options=()):
    """Sets `verdict` and `got` of every case."""
    from lib import EQUAL, compare, errors_of, parse_sinfo

    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp).resolve()
        paths = [str(tmp / f"c{i}.py") for i in range(len(cases))]
        for c, p in zip(cases, paths):
            pathlib.Path(p).write_text(HEADER + c["source"], encoding="utf-8")
        inferred, checked = rlx.files("infer", paths, *options), rlx.files("check", paths, *options)
        for c, p in zip(cases, paths):
            errors, mine = errors_of(checked.get(p)), gv_of(inferred.get(p, {}))
            c["got"] = f"{errors[0]['code']}: {errors[0]['message']}" if errors else mine
            if errors is None:
                c["verdict"] = "no answer"
            elif c.get("stage") == "crash" or ("error" not in c and not c.get("expect")):
                c["verdict"] = "right"  # TVM does not say: it crashed, or gv is a value of Python, which is no binding
            elif "error" in c:
                c["verdict"] = "right" if errors else "missed"
            elif errors:
                c["verdict"] = "listed" if any(re.search(r, c["got"]) for r in LISTED_ALARMS) else "false alarm"
            else:
                gold = parse_sinfo((c["expect"] or "").splitlines()[-1]) if c["expect"] else None
                how = compare(mine, gold) if gold else "golden not read"
                xy = "meshgrid" in c["source"] and "'xy'" in c["source"]  # the order that TVM computes
                c["verdict"] = "right" if how == EQUAL else "listed" if xy else how
    return cases


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("--cases", type=pathlib.Path, default=SHARED / "ops" / "struct-info-cases.json")
    p.add_argument("--count", type=int, default=2000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--op")
    p.add_argument("--dialect", help="that of the installed TVM; without it rlx recognises it")
    p.add_argument("--how", choices=sorted(joint.KINDS), help="only this kind of change")
    p.add_argument("--matrix", action="store_true", help="not random: every parameter with a value of every kind")
    p.add_argument("--as-is", action="store_true", help="no variations: the cases themselves, as the installed TVM answers them")
    p.add_argument("--list", type=int, default=0, help="show the first N disagreements of every operator")
    p.add_argument("--save", type=pathlib.Path, help="write the variations with TVM's answers")
    p.add_argument("--load", type=pathlib.Path, help="read them instead of asking TVM")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--max", type=float, default=100.0, help="percent that may differ")
    a = p.parse_args()
    try:
        from lib import Rlx
    except ImportError:
        sys.exit("../shared/conformance is not there")
    if a.load:
        cases = [c for c in json.loads(a.load.read_text()) if a.op in (None, c["op"])]
    else:
        base = [c for c in json.loads(a.cases.read_text()) if a.op in (None, c["op"])]
        rows = [r for r in json.loads((SHARED / "ops" / "ops.json").read_text())["ops"] if a.op in (None, r["op"])]
        names = {r["op"]: [p["name"] for p in r["params"]] for r in rows}
        drawn = base if a.as_is else matrix(base, rows) if a.matrix else variations(base, a.count, a.seed, names, a.how)
        cases = ask_tvm([{k: c[k] for k in ("op", "source")} for c in drawn], a.jobs)
    if a.save:
        a.save.write_text(json.dumps(cases))
    judge(Rlx(a.rlx), cases, [f"--dialect={a.dialect}"] if a.dialect else [])
    per_op, total = defaultdict(Counter), Counter()
    for c in cases:
        total[c["verdict"]] += 1
        if c["verdict"] not in FINE:
            per_op[c["op"]][c["verdict"]] += 1
            if sum(per_op[c["op"]].values()) <= a.list:
                want = c.get("expect") or f"error: {c.get('error')}"
                print(f"{c['op']}: {c['verdict']}: TVM {want:.160}; rlx {json.dumps(c['got'])[:200]}\n    " +
                      c["source"].strip().replace("\n", "\n    "))
    for op, counts in sorted(per_op.items(), key=lambda x: -sum(x[1].values())):
        print(f"{op}: " + ", ".join(f"{k} {v}" for k, v in counts.items()))
    wrong = sum(v for k, v in total.items() if k not in FINE)
    print(f"{len(cases)} variations: " + ", ".join(f"{k} {v}" for k, v in total.most_common()))
    return 1 if not cases or 100.0 * wrong / len(cases) > a.max else 0


if __name__ == "__main__":
    sys.exit(main())
