"""Makes the rows of analyzer/words/script_kinds.def: what each argument of a function of T may be, and what the function gives.

    python tests/tvm/script_kinds.py PYTHON_0_25 PYTHON_0_27 > analyzer/words/script_kinds.def

Each PYTHON has an apache-tvm of that version. Run with --list [NAME…] by such a Python it calls each function with values of all kinds, in a process
of its own, and prints what it takes, a line of JSON each. With --seen FILE FILE it reads such lines instead. Takes some minutes.
"""
import inspect
import itertools
import json
import os
import signal
import subprocess
import sys


class Escape(Exception):
    pass


def probes():
    """[(letter, value)], made anew inside of a builder: what a script may hand to a function."""
    from tvm import tirx
    from tvm.script import tirx as T
    A = tirx.decl_buffer((16, 16), "float32", name="A")
    v = tirx.Var("v", "int32")
    x = tirx.Var("x", "float32")
    c = tirx.Var("c", "bool")
    region = A[0:4, 0:4]
    return [("e", v + 1), ("x", x + tirx.const(1.0, "float32")), ("c", tirx.EQ(v, v + 1)), ("v", v), ("i", 4), ("d", "float32"), ("u", A), ("h", A.data), ("l", [v, v]), ("f", 0.5), ("b", True), ("s", "x1"),
            ("s", "blockIdx.x"), ("s", "S"), ("s", "global"), ("s", "SS"), ("s", "llvm.sqrt"), ("s", "tirx.sqrt"), ("s", "llvm"), ("n", None), ("L", []), ("t", (v, v)), ("m", {}), ("m", {"k": 1}), ("r", region), ("F", T.float32), ("p", lambda a, b: a + b), ("k", ["a", "b"]), ("T", A[0, 0]), *([("z", tirx.StringImm("q"))] if hasattr(tirx, "StringImm") else [])]


def call(f, args, kwargs, place):
    """The result's description, or None where the call is refused."""
    from tvm.script.ir_builder import IRBuilder
    from tvm.script import tirx as T
    B = __import__("tvm.tirx.script.builder", fromlist=["x"])
    out = [None]
    try:
        with IRBuilder():
            with B.prim_func(s_tir=True) if "s_tir" in inspect.signature(B.prim_func).parameters else B.prim_func():
                B.func_name("f")
                if place == "block":
                    with B.sblock("b"):
                        out[0] = describe(f(*args, **kwargs))
                        raise Escape
                out[0] = describe(f(*args, **kwargs))
                raise Escape
    except Escape:
        return out[0]
    except BaseException:
        return None


def dtype_of(r):
    try:
        return str(r.dtype)
    except AttributeError:
        return str(getattr(r.ty, "dtype", "handle"))


def describe(r):
    import tvm
    from tvm import tirx
    from tvm.script.ir_builder.base import IRBuilderFrame
    if r is None:
        return "n"
    name = type(r).__name__
    if name == "ForFrame":
        return "FOR"
    if isinstance(r, IRBuilderFrame):
        return "FRAME"
    if type(getattr(r, "ty", None)).__name__ == "BufferType" or type(r).__name__ == "Buffer":
        return "u"
    if isinstance(r, tirx.IterVar):
        return "v:" + dtype_of(r)
    expr = getattr(tirx, "PrimExpr", None) or tvm.ir.Expr
    if isinstance(r, tirx.Var):
        return "v:" + dtype_of(r)
    if isinstance(r, expr) or hasattr(r, "dtype") and isinstance(r, tvm.ir.Expr if hasattr(tvm.ir, "Expr") else expr):
        try:
            return "e:" + dtype_of(r)
        except Exception:
            return "e"
    return "?" + name


CODE = dict(zip("eviTxfcbhdsz", ["int32"] * 3 + ["float32"] * 3 + ["bool"] * 2 + ["handle"] * 4))


def rule(req, results):
    found = {r for _, r in results}
    if len(found) == 1:
        r = found.pop()
        if r[:2] in ("e:", "v:") and "dtype" in req and r[2:] == "float32":
            return r[:2] + "$" + str(req.index("dtype"))
        return r
    if not all(r[:2] in ("e:", "v:") for r in found):
        return "e" if all(r[:1] in "ev" for r in found) else "?"
    for k in range(len(req)):
        if all(len(a) > k and CODE.get(a[k]) == r[2:] for a, r in results):
            return f"e:={k}"
    return "e"


def same(results):
    """Whether two expressions have to agree in dtype."""
    seen = {"".join(a) for a, _ in results}
    return "ee" in seen and "xx" in seen and "ex" not in seen and "xe" not in seen


def study(f, params):
    """(place, [mask per parameter], results) or None"""
    P = [p for p in probes() if p[0] not in os.environ.get("RLX_NOT", "")]
    req = [p for p in params if not p.endswith("=") and not p.startswith("*")]
    star = [p for p in params if p.startswith("*") and not p.startswith("**") and len(p) > 1]
    opt = [p[:-1] for p in params if p.endswith("=")]
    masks = {p: set() for p in params}
    results = set()
    good = []
    hints = {"dtype": "d", "buffer": "u", "value": "ex", "cond": "c", "condition": "c"}
    place = None
    n = len(req)
    if n == 3:
        short = [p for p in P if p[0] in "exciduhsbl"]
    elif n > 5:
        short = [p for p in P if p[0] in "eidush"]
    elif n > 3:
        short = [p for p in P if p[0] in "exciduhsl"]
    else:
        short = P
    budget = 6000
    for place in ("func", "block"):
        if n <= 2:
            combos = itertools.product(P, repeat=n)
        else:
            combos = itertools.islice(itertools.product(short, repeat=n), budget)
        for combo in combos:
            letters = [c[0] for c in combo]
            if n > 3 and good:
                break
            args = [c[1] for c in combo]
            extra = [P[0][1]] if star and not good and False else []
            r = call(f, args + extra, {}, place)
            if r is not None:
                good.append((letters, args, r))
                for p, l in zip(req, letters):
                    masks[p].add(l)
                results.add((tuple(letters), r))
                if n == 3 and len(good) > 3000:
                    break
        if good:
            break
    if not good:
        return None
    # more bases: every argument that may be an expression by another expression
    if n > 2:
        base = good[0]
        bases = [base]
        exprs = [k for k, l in enumerate(base[0]) if l in "excvif"]
        for letter in "excv":
            val = next(v for l, v in P if l == letter)
            args = [val if k in exprs else a for k, a in enumerate(base[1])]
            r = call(f, args, {}, place)
            if r is not None:
                ls = [letter if k in exprs else l for k, l in enumerate(base[0])]
                bases.append((ls, args, r))
                results.add((tuple(ls), r))
        for ls, args, _ in bases:
            for k in range(n):
                for l, v in P:
                    if l in masks[req[k]] and l != "m":
                        continue
                    r = call(f, args[:k] + [v] + args[k + 1:], {}, place)
                    if r is not None:
                        masks[req[k]].add(l)
                        results.add((tuple(ls[:k] + [l] + ls[k + 1:]), r))
    bases = good[:1] + [g for g in good if g[0] and all(l == "x" for l in g[0])][:1]
    for p in opt:
        for ls, args, _ in bases:
            for l, v in P:
                if call(f, args, {p: v}, place) is not None:
                    masks[p + "="].add(l)
    for p in star:
        for ls, args, _ in bases:
            for l, v in P:
                r = call(f, list(args) + [v], {}, place)
                if r is not None:
                    masks[p].add(l)
                    if not n:
                        results.add(((l,), r))
    return place, {p: "".join(sorted(m)) for p, m in masks.items()}, rule(req, results), same(results) if n == 2 else False


def list_kinds(only):
    from script_names import rows
    from tvm.script import tirx as T
    null = os.open(os.devnull, os.O_WRONLY)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(null, 2)
    os.dup2(null, 1)
    for row in rows("", T):
        name, how, params = row.split("\t")
        if how == "OTHER" or (only and name not in only):
            continue
        f = T
        for part in name.split("."):
            f = getattr(f, part)
        for left in ("", "n", "nzFpm", "nzFpmfTr"):
            os.environ["RLX_NOT"] = left
            r, w = os.pipe()
            pid = os.fork()
            if pid == 0:
                signal.alarm(10)
                try:
                    ps = [p.strip() for p in params.split(",")] if params else []
                    seen = study(f, ps)
                    os.write(w, json.dumps([seen]).encode()[:60000])
                except BaseException as e:
                    os.write(w, json.dumps(["error " + repr(e)]).encode())
                os._exit(0)
            os.close(w)
            data = b""
            while True:
                part = os.read(r, 65536)
                if not part:
                    break
                data += part
            os.close(r)
            _, status = os.waitpid(pid, 0)
            try:
                seen = json.loads(data)[0]
            except ValueError:
                seen = f"died {status}"
                if status != 14:
                    continue
            break
        print(json.dumps([name, how, params, seen]), file=out, flush=True)


HEADER = """// What the functions of the namespace T take and give, made by tests/tvm/script_kinds.py: it calls each in the wheels of Apache TVM.
//
// RLX_SCRIPT_KINDS(name, since, until, kinds, result, same)
//   kinds   for each parameter of the row in script_names.def, but a bare `*`, a letter for each kind of value that some call takes; `-`: not known
//             of expressions of TensorIR: e of an integer dtype, v a variable, x of a float dtype, T an element of a buffer, c bool, h handle, z a string
//             b i f s n of Python: bool, int, float, str, None; d a dtype as a string; l L t k m lists, an empty one, tuples, lists of strings, dicts
//             ? something that no script has as a value; u r a buffer, a part of one; F p a function of T, a function of Python
//   result  n None, u a buffer, FOR a loop, FRAME another frame, e an expression, v a new variable; behind a colon the dtype: as it is written, `=k` that of
//           argument k, `$k` the one that argument k spells; `?` something else
//   same    1: two expressions have to agree in dtype
// Sorted by name.
"""


# What the probes do not find: a value is taken where the dtype has as many bits as it, so a string and a handle where the dtype is "handle".
# None is what leaving out a predicate gives.
BESIDES = {("reinterpret", "value"): "bchsz", ("BufferLoad", "predicate="): "n", ("buffer_store", "predicate="): "n"}

# What no combination of probes satisfies, or what their tables of types alone say: (since, until, kinds, result).
FIXED = {
    "Call": [("025", "025", "- - Lklt -", "e")],
    "CommReducer": [("025", "027", "Lklt Lklt Lklt Lklt", "?CommReducer")],
    "ComposeLayout": [("025", "025", "? ?", "?ComposeLayout"), ("027", "027", "bi bi bi ? bi", "?ComposeLayout")],
    "ExecScope": [("025", "027", "ds", "?ExecScope")],
    "IterVar": [("025", "027", "Lklnt dsv bi ds", "?IterVar")],
    "Let": [("025", "027", "- m", "e")],
    "Reduce": [("025", "027", "- Lklt Lklt - bi Lklnt", "e")],
    "ScopeIdDef": [("025", "027", "- - ds ds -", "?ScopeIdDef")],
    "buffer_var": [("025", "025", "? ?", "v:handle")],
    "call_kernel": [("025", "027", "Fdps - - -", "?")],
    "iter_var": [("025", "027", "- - ds ds", "?IterVar")],
    "print_buffer": [("025", "027", "v d - - - -", "e:")],
    "scope_id": [("025", "027", "Lklnt ds ds", "?")],
}


def rows_of(dialect, lines, found):
    for line in lines:
        name, _, params, seen = json.loads(line)
        # `attr` takes a dictionary, or three values: no mask says that.
        if not isinstance(seen, list) or str(seen[0]).startswith("error") or name == "attr":
            continue
        _, masks, result, same = seen
        every = params.split(", ") if params else []
        if sum(not p.endswith("=") and not p.startswith("*") for p in every) > 5:
            continue
        kinds = " ".join("".join(sorted(set(masks.get(p, "") + BESIDES.get((name, p), "")))) or "-" for p in every if p != "*")
        found.setdefault((name, kinds, result, same), set()).add(dialect)


def main():
    if sys.argv[1] == "--list":
        list_kinds(sys.argv[2:])
        return
    found = {}
    for dialect, source in zip(("025", "027"), sys.argv[-2:]):
        if sys.argv[1] == "--seen":
            with open(source, encoding="utf-8") as f:
                rows_of(dialect, f, found)
        else:
            rows_of(dialect, subprocess.run([source, __file__, "--list"], capture_output=True, text=True, check=True).stdout.splitlines(), found)
    for name, rows in FIXED.items():
        for since, until, kinds, result in rows:
            found.setdefault((name, kinds, result, False), set()).update((since, until))
    print(HEADER, end="")
    for (name, kinds, result, same), dialects in sorted(found.items(), key=lambda x: (x[0][0].encode(), "025" not in x[1])):
        print(f'RLX_SCRIPT_KINDS("{name}", {min(dialects)}, {max(dialects)}, "{kinds}", "{result}", {int(same)})')


if __name__ == "__main__":
    main()
