#!/usr/bin/env python3
"""Hold rlx against wheels of Apache TVM over random changes of scripts' texts.

usage: texts.py RLX --python DIALECT=PYTHON… [--base DIR…] [--part prim_func|all] [--count N] [--seed N] [--list N] [--keep DIR] [--load] [--jobs N]
                [--max-alarm P] [--max-missed P]

A script that a wheel accepts is changed in one place: a token, a line, an argument, a name, a literal, a dtype, a decorator, an expression. The
wheel then runs the script as Python does, and `rlx check` reads it. What one accepts and the other refuses is grouped by TVM's message or
rlx's code. Disagreements that docs/differences.md has are set apart as "listed". What kills TVM is no verdict.
"""
import argparse
import ast
import io
import json
import pathlib
import random
import re
import sys
import tokenize
from collections import Counter, defaultdict

from wheel import ask

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
sys.path.insert(0, str(SHARED / "conformance"))
DTYPES = ["float32", "float16", "float64", "bfloat16", "int32", "int64", "int8", "uint8", "uint32", "bool", "handle", "float3", "int32x4", ""]
KINDS = {}
# What docs/differences.md lists: rlx's code and message where TVM accepts, TVM's message where rlx does.
LISTED_ALARMS = [r"RLX0362: `(True|False)` is not a dimension", r"RLX0434: the condition is", r"RLX0452", r"RLX0442", r"RLX0451", r"RLX0437", r"RLX0454: `pyfunc` of I",
                 r"RLX0422: \w+ takes at most \d+ positional", r"RLX0440: output \d+ of .*: dimension \d+"]
LISTED_MISSES: list[str] = []


def kind(f):
    KINDS[f.__name__.rstrip("_")] = f
    return f


class Text:
    """A script with its tokens; `first`, `last` are the lines that may change (from 1)."""

    def __init__(self, text, part):
        self.text, self.lines = text, text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.tree = ast.parse(text)
        spans = [(min([d.lineno for d in n.decorator_list] + [n.lineno]), n.end_lineno) for n in ast.walk(self.tree)
                 if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.decorator_list
                 and (part == "all" or any("prim_func" in ast.unparse(d) for d in n.decorator_list))]
        self.in_part = set()
        for a, b in spans:
            self.in_part.update(range(a, b + 1))
        skip = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER)
        self.tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in skip and t.start[0] in self.in_part]
        self.nodes = [n for n in ast.walk(self.tree) if getattr(n, "lineno", 0) in self.in_part]

    def at(self, place):
        return self.starts[place[0] - 1] + place[1]

    def token(self, t, new):
        return self.text[:self.at(t.start)] + new + self.text[self.at(t.end):]

    def span(self, node):
        return (self.at_bytes(node.lineno, node.col_offset), self.at_bytes(node.end_lineno, node.end_col_offset))

    def at_bytes(self, line, col):
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:col].decode())

    def of(self, node):
        a, b = self.span(node)
        return self.text[a:b]

    def put(self, node, new):
        a, b = self.span(node)
        return self.text[:a] + new + self.text[b:]

    def calls(self):
        return [n for n in self.nodes if isinstance(n, ast.Call)]

    def expressions(self):
        return [n for n in self.nodes if isinstance(n, ast.expr) and not isinstance(getattr(n, "ctx", None), ast.Store)]


def pick(rng, found):
    return rng.choice(found) if found else None


@kind
def delete_token(t, rng):
    k = pick(rng, t.tokens)
    return k and t.token(k, "")


@kind
def replace_token(t, rng):
    k = pick(rng, t.tokens)
    same = [o for o in t.tokens if o.type == k.type and o.string != k.string] if k else []
    return same and t.token(k, rng.choice(same).string)


@kind
def repeat_token(t, rng):
    k = pick(rng, t.tokens)
    return k and t.token(k, f"{k.string} {k.string}")


@kind
def operator(t, rng):
    k = pick(rng, [k for k in t.tokens if k.string in "+-*//%<<=>>===!=&|^" and k.string.strip()])
    return k and t.token(k, rng.choice([o for o in ["+", "-", "*", "/", "//", "%", "<", "==", "!=", ">=", "&", "|", "^", "<<", "**", "@", "and", "or"] if o != k.string]).join("  "))


@kind
def swap_arguments(t, rng):
    c = pick(rng, [c for c in t.calls() if len(c.args) > 1])
    if not c:
        return None
    i, k = sorted(rng.sample(range(len(c.args)), 2))
    (a, b), (d, e) = t.span(c.args[i]), t.span(c.args[k])
    return t.text[:a] + t.text[d:e] + t.text[b:d] + t.text[a:b] + t.text[e:]


@kind
def drop_argument(t, rng):
    c = pick(rng, [c for c in t.calls() if c.args or c.keywords])
    if not c:
        return None
    new = ast.parse(t.of(c), mode="eval").body
    k = rng.randrange(len(new.args) + len(new.keywords))
    if k < len(new.args):
        del new.args[k]
    else:
        del new.keywords[k - len(new.args)]
    return t.put(c, ast.unparse(new))


@kind
def add_argument(t, rng):
    c = pick(rng, t.calls())
    if not c:
        return None
    new = ast.parse(t.of(c), mode="eval").body
    other = pick(rng, t.expressions())
    new.args.insert(rng.randrange(len(new.args) + 1), ast.parse(rng.choice([t.of(other).strip(), "1", "None", '"float32"', "0.5"]).replace("\n", " "), mode="eval").body)
    return t.put(c, ast.unparse(new))


@kind
def name_keyword(t, rng):
    c = pick(rng, [c for c in t.calls() if c.keywords])
    if not c:
        return None
    new = ast.parse(t.of(c), mode="eval").body
    k = rng.choice(new.keywords)
    k.arg = rng.choice([(k.arg or "x") + "s", "dtype", "shape", "axis", "value"])
    return t.put(c, ast.unparse(new))


@kind
def rename(t, rng):
    k = pick(rng, [k for k in t.tokens if k.type == tokenize.NAME])
    if not k:
        return None
    s = k.string
    i = rng.randrange(len(s))
    return t.token(k, rng.choice([s + "x", s[:i] + s[i + 1:] or "q", s + "_1", s.upper(), s[:i] + s[i] + s[i:]]))


@kind
def rename_attribute(t, rng):
    """T.x becomes another name that the script, or TVM, knows behind T."""
    n = pick(rng, [n for n in t.nodes if isinstance(n, ast.Attribute)])
    if not n:
        return None
    known = sorted({m.attr for m in t.nodes if isinstance(m, ast.Attribute)} | {"max", "Cast", "float32", "int64", "exp", "if_then_else", "grid", "serial", "axis", "Buffer", "handle", "evaluate"})
    return t.text[:t.span(n)[1] - len(n.attr)] + rng.choice(known) + t.text[t.span(n)[1]:]


@kind
def dtype(t, rng):
    k = pick(rng, [k for k in t.tokens if k.string.strip("\"'") in DTYPES])
    return k and t.token(k, f'"{rng.choice(DTYPES)}"' if k.type == tokenize.STRING else rng.choice(DTYPES[:11]))


@kind
def literal(t, rng):
    k = pick(rng, [k for k in t.tokens if k.type in (tokenize.NUMBER, tokenize.STRING) or k.string in ("True", "False", "None")])
    return k and t.token(k, rng.choice(["0", "1", "2", "3", "7", "16", "-1", "0.5", "1e9", '"x"', '"n"', "None", "True", "False", "99999999999", '""', "[]", "(1,)", "1.0"]))


@kind
def expression(t, rng):
    """An expression becomes another of the script."""
    n, m = pick(rng, t.expressions()), pick(rng, t.expressions())
    return n and t.put(n, t.of(m))


@kind
def wrap(t, rng):
    n = pick(rng, t.expressions())
    return n and t.put(n, rng.choice(["T.max({}, {})", "T.Cast('float32', {})", "-{}", "not {}", "[{}]", "({},)", "{}[0]", "{} + 1", "{}.dtype", "T.int64({})", "T.if_then_else({}, 1, 2)",
                                      "({} if True else 0)", "{}()", "T.exp({})", "T.min({}, 3)", "{} and {}", "{} / 2", "{} // {}", "{} % 2.0", "{} == 0", "lambda: {}", "{}.x"]).format(t.of(n), t.of(n)))


def logical(t):
    return [n for n in t.nodes if isinstance(n, ast.stmt)]


@kind
def drop_statement(t, rng):
    s = pick(rng, logical(t))
    if not s or (isinstance(s, (ast.FunctionDef, ast.ClassDef))):
        return None
    return "".join(t.lines[:s.lineno - 1] + t.lines[s.end_lineno:])


@kind
def drop_line(t, rng):
    k = pick(rng, sorted(t.in_part))
    return k and "".join(t.lines[:k - 1] + t.lines[k:])


@kind
def repeat_line(t, rng):
    k = pick(rng, sorted(t.in_part))
    return k and "".join(t.lines[:k] + t.lines[k - 1:])


@kind
def repeat_statement(t, rng):
    s = pick(rng, logical(t))
    return s and "".join(t.lines[:s.end_lineno] + t.lines[s.lineno - 1:])


@kind
def swap_lines(t, rng):
    k = pick(rng, sorted(t.in_part))
    if not k or k + 1 not in t.in_part:
        return None
    return "".join(t.lines[:k - 1] + [t.lines[k], t.lines[k - 1]] + t.lines[k + 1:])


@kind
def move_statement(t, rng):
    a, b = pick(rng, logical(t)), pick(rng, logical(t))
    if not a or isinstance(a, (ast.FunctionDef, ast.ClassDef)) or a.lineno == b.lineno:
        return None
    indent = " " * b.col_offset
    own = [indent + line[a.col_offset:] for line in t.lines[a.lineno - 1:a.end_lineno]]
    lines = t.lines[:]
    if a.lineno <= b.lineno <= a.end_lineno:
        return None
    if b.lineno > a.lineno:
        return "".join(lines[:a.lineno - 1] + lines[a.end_lineno:b.lineno - 1] + own + lines[b.lineno - 1:])
    return "".join(lines[:b.lineno - 1] + own + lines[b.lineno - 1:a.lineno - 1] + lines[a.end_lineno:])


@kind
def indentation(t, rng):
    k = pick(rng, sorted(t.in_part))
    if not k:
        return None
    line = t.lines[k - 1]
    return "".join(t.lines[:k - 1] + [line[4:] if rng.random() < 0.5 and line.startswith("    ") else "    " + line] + t.lines[k:])


@kind
def decorator(t, rng):
    d = pick(rng, [d for n in t.nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef)) for d in n.decorator_list])
    if not d:
        return None
    how = rng.random()
    if how < 0.3:
        return "".join(t.lines[:d.lineno - 1] + t.lines[d.end_lineno:])
    if how < 0.6:
        new = t.of(d)
        i = rng.randrange(len(new))
        return t.put(d, new[:i] + new[i + 1:])
    return t.put(d, rng.choice(["T.prim_func", "R.function", "I.ir_module", "T.prim_func(private=True)", "T.prim_func(s_tir=True)", "T.prim_func()", "T.macro", "T.primfunc", "R.macro", "I.pyfunc",
                                "T.prim_func(check_well_formed=False)", "R.function(private=True)", "R.function(pure=False)", "R.rewriter", "staticmethod", "T.prim_func(s_tir=1)"]))


@kind
def slice_(t, rng):
    n = pick(rng, [n for n in t.nodes if isinstance(n, ast.Subscript)])
    if not n:
        return None
    elts = n.slice.elts if isinstance(n.slice, ast.Tuple) else [n.slice]
    parts = [ast.unparse(e) for e in elts]
    how = rng.randrange(5)
    if how == 0:
        parts.append("0")
    elif how == 1 and len(parts) > 1:
        del parts[rng.randrange(len(parts))]
    elif how == 2:
        return t.put(n, ast.unparse(n.value))
    elif how == 3:
        parts[rng.randrange(len(parts))] = rng.choice(["0:2", ":", "1:", "0:8:2", "None", "-1", "...", "0.5", "'a'", "True"])
    else:
        rng.shuffle(parts)
    return t.put(n, f"{ast.unparse(n.value)}[{', '.join(parts)}]")


@kind
def rename_use(t, rng):
    """One use of a name becomes another name that the script binds or takes."""
    names = [n for n in t.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    bound = sorted({n.id for n in t.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {n.arg for n in t.nodes if isinstance(n, ast.arg)})
    n = pick(rng, names)
    return n and bound and t.put(n, rng.choice(bound))


@kind
def delete_brackets(t, rng):
    """A bracketed part goes, or its brackets alone."""
    opening = [i for i, k in enumerate(t.tokens) if k.string in "([{" and k.string]
    i = pick(rng, opening)
    if i is None:
        return None
    depth = 0
    for k in t.tokens[i:]:
        depth += (k.string in ("(", "[", "{")) - (k.string in (")", "]", "}"))
        if depth == 0:
            a, b = t.at(t.tokens[i].start), t.at(k.end)
            return t.text[:a] + (t.text[a + 1:b - 1] if rng.random() < 0.5 else "") + t.text[b:]
    return None


@kind
def nest(t, rng):
    """A statement goes below another head, or the body of one comes out of it."""
    s = pick(rng, [s for s in logical(t) if not isinstance(s, (ast.FunctionDef, ast.ClassDef)) and s.col_offset])
    if not s:
        return None
    indent, lines = " " * s.col_offset, t.lines[s.lineno - 1:s.end_lineno]
    if isinstance(s, (ast.For, ast.With, ast.If)) and rng.random() < 0.5:
        out = [line[4:] if line.startswith("    ") else line for line in t.lines[s.body[0].lineno - 1:s.end_lineno]]
    else:
        head = rng.choice(["for q_1 in range(4):", "with T.sblock(\"q\"):", "if True:", "while True:", "with T.init():", "for q_1, q_2 in T.grid(2, 3):", "if 1 < 2:", "with T.attr(0, \"k\", 1):"])
        out = [indent + head + "\n"] + ["    " + line for line in lines]
    return "".join(t.lines[:s.lineno - 1] + out + t.lines[s.end_lineno:])


@kind
def copy_argument(t, rng):
    """An argument becomes that of another call."""
    calls = [c for c in t.calls() if c.args]
    a, b = pick(rng, calls), pick(rng, calls)
    return a and t.put(rng.choice(a.args), t.of(rng.choice(b.args)))


def mutants(base, count, seed, part):
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
        how = rng.choice(sorted(KINDS))
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
    p.add_argument("--part", choices=["prim_func", "all"], default="prim_func", help="what is changed")
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
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
    if a.part == "prim_func":
        files = [f for f in files if "prim_func" in pathlib.Path(f).read_text()]
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
            cases = mutants([f for f in base if f not in refused], a.count, a.seed, a.part)
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
            if real and any(re.search(r, f"{real[0]['code']}: {real[0]['message']}") for r in LISTED_ALARMS):
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
