"""Random changes of a script's text, one function per kind of change.

Every function of KINDS takes a Text and a random.Random and gives the new text, or None when the script has no place for the change.
They do not care whether the result means anything: the scripts go to TVM and to rlx alike.
"""
import ast
import io
import tokenize

DTYPES = ["float32", "float16", "float64", "bfloat16", "int32", "int64", "int8", "uint8", "uint32", "bool", "handle", "float3", "int32x4", ""]
KINDS = {}


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
        self.in_part, prim_funcs = set(), set()
        for n in ast.walk(self.tree):
            if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.decorator_list:
                lines = range(min([d.lineno for d in n.decorator_list] + [n.lineno]), n.end_lineno + 1)
                self.in_part.update(lines)
                if any("prim_func" in ast.unparse(d) for d in n.decorator_list):
                    prim_funcs.update(lines)
        if part == "prim_func":
            self.in_part = prim_funcs
        elif part == "relax":
            self.in_part -= prim_funcs
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


@kind
def swap_names(t, rng):
    """Two names of the script change places: one use of each, or all of them."""
    names = [n for n in t.nodes if isinstance(n, ast.Name)]
    a = pick(rng, names)
    b = pick(rng, [n for n in names if a and n.id != a.id])
    if not b:
        return None
    everywhere = rng.random() < 0.4
    changed = [n for n in names if n.id in (a.id, b.id)] if everywhere else [a, b]
    text = t.text
    for n in sorted(changed, key=lambda n: t.span(n), reverse=True):
        x, y = t.span(n)
        text = text[:x] + (b.id if n.id == a.id else a.id) + text[y:]
    return text


@kind
def wrap_if(t, rng):
    """A statement goes below a condition, perhaps with another branch."""
    s = pick(rng, [s for s in logical(t) if not isinstance(s, (ast.FunctionDef, ast.ClassDef)) and s.col_offset])
    if not s:
        return None
    name = pick(rng, sorted({n.id for n in t.nodes if isinstance(n, ast.Name)}))
    condition = rng.choice(["True", "False", "1 < 2", "2 < 1", "0", "1", "None", f"{name} < 3", f"{name} == 0", f"{name}", "T.bool(True)", "not True", f"{name}[0] > 0",
                            f"{name} >= 0 and {name} < 2", "T.likely(1 < 2)"])
    indent, lines = " " * s.col_offset, t.lines[s.lineno - 1:s.end_lineno]
    out = [f"{indent}if {condition}:\n"] + ["    " + line for line in lines]
    if rng.random() < 0.4:
        out += [f"{indent}else:\n"] + rng.choice([[f"{indent}    T.evaluate(0)\n"], ["    " + line for line in lines], [f"{indent}    pass\n"]])
    return "".join(t.lines[:s.lineno - 1] + out + t.lines[s.end_lineno:])


@kind
def delete_head(t, rng):
    """The line of a `with`, a `for` or an `if` goes; what is below it moves out, or stays where it is."""
    s = pick(rng, [s for s in logical(t) if isinstance(s, (ast.With, ast.For, ast.If))])
    if not s:
        return None
    body = t.lines[s.body[0].lineno - 1:s.end_lineno]
    if rng.random() < 0.9:
        body = [line[4:] if line.startswith("    ") else line for line in body]
    return "".join(t.lines[:s.lineno - 1] + body + t.lines[s.end_lineno:])


@kind
def tuple_argument(t, rng):
    """An argument becomes a tuple, a list or another collection of it."""
    c = pick(rng, [c for c in t.calls() if c.args or c.keywords])
    if not c:
        return None
    a = rng.choice(c.args + [k.value for k in c.keywords])
    return t.put(a, rng.choice(["({},)", "[{}]", "({}, {})", "[{}, {}]", "*({},)", "*[{}, {}]", "{{{}}}", "{{'k': {}}}", "(*{},)", "[{}][0]"]).format(t.of(a), t.of(a)))


@kind
def decorator_argument(t, rng):
    """An argument of a decorator goes, comes, or changes."""
    d = pick(rng, [d for n in t.nodes if isinstance(n, ast.FunctionDef) for d in n.decorator_list])
    if not d:
        return None
    call = ast.parse(t.of(d), mode="eval").body
    if not isinstance(call, ast.Call):
        call = ast.Call(call, [], [])
    if call.keywords and rng.random() < 0.6:
        del call.keywords[rng.randrange(len(call.keywords))]
        if rng.random() < 0.5:
            return t.put(d, ast.unparse(call))
    new = rng.choice(["private=True", "private=False", "s_tir=True", "s_tir=False", "check_well_formed=False", "check_well_formed=True", "private=None", "s_tir=0", "is_private=True", "s_tir='x'", "tir=True",
                      "True", "None", "private=1 < 2", "s_tir=not False", "persistent=True"])
    return t.put(d, f"{ast.unparse(call.func)}({', '.join([ast.unparse(k) for k in call.args + call.keywords] + [new])})")


TYPES = ["T.int32", "T.int64", "T.float32", "T.float32()", "T.handle", "T.bool", "T.let[T.int32]", "T.let[T.float32]", "T.let", "T.float32[4]", "T.int32[4]", "T.Buffer((4,), 'float32')",
         "T.Buffer((4, 4), 'int32')", "T.Buffer", "T.Ptr[T.float32]", "T.handle('float32')", "int", "'int32'", "T.let[T.handle]", "T.let[T.Ptr[T.float32]]", "None", "T.int8", "T.uint32", "T.float16",
         "T.Buffer((4,))", "T.Buffer(4)", "T.Buffer((), 'float32')", "T.let['int32']", "T.float64[2, 2]"]


@kind
def annotation(t, rng):
    """An annotation becomes another one, goes, or comes."""
    places = [n for n in t.nodes if isinstance(n, (ast.arg, ast.AnnAssign))] + [n for n in t.nodes if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)]
    n = pick(rng, places)
    if not n:
        return None
    if isinstance(n, ast.Assign):
        return t.put(n.targets[0], f"{n.targets[0].id}: {rng.choice(TYPES)}")
    if n.annotation is None:
        return t.put(n, f"{n.arg}: {rng.choice(TYPES)}")
    others = [t.of(m.annotation) for m in places if getattr(m, "annotation", None) is not None]
    if isinstance(n, ast.arg) or rng.random() < 0.7:
        if rng.random() < 0.1:
            return t.text[:t.span(n)[0] + len(n.arg)] + t.text[t.span(n.annotation)[1]:] if isinstance(n, ast.arg) else None
        return t.put(n.annotation, rng.choice(TYPES + others))
    return t.text[:t.span(n.target)[1]] + t.text[t.span(n.annotation)[1]:]


@kind
def insert_statement(t, rng):
    """A statement more, in front of one that is there."""
    s = pick(rng, [s for s in logical(t) if not isinstance(s, (ast.FunctionDef, ast.ClassDef)) and s.col_offset])
    names = sorted({n.id for n in t.nodes if isinstance(n, ast.Name)})
    if not s or not names:
        return None
    x, y, e = rng.choice(names), rng.choice(names), t.of(pick(rng, t.expressions())).replace("\n", " ")
    new = rng.choice(["q_v = T.int32()", f"T.evaluate({x})", f"T.reads({x}[0])", f"T.writes({x}[0, 0])", "pass", "return", f"return {x}", "break", "continue", f"assert {x} < 3", f'assert {x} < 3, "no"',
                      "T.writes()", "T.reads()", "q_b = T.alloc_buffer((4,))", "q_b = T.sblock_alloc_buffer((4,), 'int32')", f"{x} = {y}", f"{x} = {x}", f"del {x}", f"global {x}", f"q_w = {e}", f"{e}",
                      f"q_w: T.int32 = {e}", f"q_w: T.let[T.int32] = {e}", f"{x}[0] = {e}", f"{x}[{y}] = 1", f"{x} += 1", f"{x}: T.int32", "q_a: T.float32[8]", f"{x}, {y} = {y}, {x}", "import math",
                      'T.func_attr({"k": 1})', 'T.sblock_attr({"k": 1})', f"T.where({x} < 2)", f"q_i = T.axis.spatial(4, {x})", f"q_i, q_k = T.axis.remap('SR', [{x}, {y}])", "q_t = T.env_thread('threadIdx.x')",
                      f"q_t = T.launch_thread('threadIdx.x', {x})", f"q_m = T.match_buffer({x}[0:2], (2,))", f"q_m = T.decl_buffer((4,), data={x}.data)", "T.evaluate(0)", f"T.evaluate({e})", '"text"',
                      "...", f"print({x})", f"{x}.{y}", f"q_n = {x}.shape[0]", f"lambda: {x}", f"[{x} for q_l in range(3)]", f"with T.sblock('q_s'): T.evaluate({x})", f"for q_j in range(2): {x}[q_j] = 0"])
    return "".join(t.lines[:s.lineno - 1] + [" " * s.col_offset + new + "\n"] + t.lines[s.lineno - 1:])


@kind
def loop_head(t, rng):
    """A loop runs over something else, or gives its values other names."""
    f = pick(rng, [n for n in t.nodes if isinstance(n, ast.For)])
    if not f:
        return None
    e = t.of(rng.choice(f.iter.args)) if isinstance(f.iter, ast.Call) and f.iter.args else "4"
    if rng.random() < 0.3:
        return t.put(f.target, rng.choice(["i, j", "(q_i,)", "[q_i, q_j]", "q_i", "_", "*q_i", "q_i, *q_j", "q[0]", "q_i, (q_j, q_k)"]))
    head = rng.choice(["range({})", "range(0, {})", "range(0, {}, 2)", "T.serial({})", "T.serial(0, {})", "T.serial({}, annotations={{'k': 1}})", "T.grid({})", "T.grid({}, 2)", "T.grid()", "T.parallel({})",
                       "T.vectorized({})", "T.unroll({})", "T.unroll(0, {})", "T.thread_binding({}, 'threadIdx.x')", "T.thread_binding({}, thread='blockIdx.x')", "T.thread_binding(0, {}, 'threadIdx.y')",
                       "T.thread_binding({})", "[{}]", "({}, 2)", "{}", "zip({})", "enumerate({})", "range(1, {}, step=1)", "range({}, 0, -1)", "T.serial({}, step=2)", "T.serial(stop={})", "T.serial(start=0, stop={})",
                       "range(stop={})", "T.serial(1, {}, 2)", "T.thread_binding({}, 'x')", "reversed(range({}))", "T.grid(*[{}, 2])", "T.grid(({}, 4))"])
    return t.put(f.iter, head.format(e))


@kind
def how_given(t, rng):
    """An argument that stands in its place is given by name, or the other way round."""
    c = pick(rng, [c for c in t.calls() if c.args or c.keywords])
    if not c:
        return None
    new = ast.parse(t.of(c), mode="eval").body
    if new.keywords and rng.random() < 0.6:
        k = new.keywords.pop(rng.randrange(len(new.keywords)))
        new.args.insert(rng.randrange(len(new.args) + 1), k.value)
    elif new.args:
        a = new.args.pop()
        new.keywords.append(ast.keyword(rng.choice(["dtype", "shape", "value", "a", "b", "x", "expr", "dom", "binding", "extent", "name", "data", "scope", "predicate", "stop", "bindings", "param"]), a))
    return t.put(c, ast.unparse(new))


@kind
def target(t, rng):
    """What a statement assigns to becomes another name or place, or the assignment another kind of it."""
    s = pick(rng, [s for s in logical(t) if isinstance(s, (ast.Assign, ast.AugAssign)) and s.lineno == s.end_lineno])
    if not s:
        return None
    old = s.targets[0] if isinstance(s, ast.Assign) else s.target
    names = sorted({n.id for n in t.nodes if isinstance(n, ast.Name)})
    value = t.of(s.value)
    how = rng.randrange(6)
    if how == 0:
        return t.put(old, rng.choice(names))
    if how == 1:
        return t.put(s, f"{t.of(old)} {rng.choice(['+=', '-=', '*=', '/=', '//=', '%=', '|=', '<<=', '**='])} {value}")
    if how == 2:
        return t.put(s, f"{t.of(old)} = {rng.choice(names)} = {value}")
    if how == 3:
        return t.put(s, value)
    if how == 4:
        return t.put(old, rng.choice(["({},)", "[{}]", "{}, q_2", "*{}", "{}.x", "{}[0]", "{}, {}"]).format(t.of(old), t.of(old)))
    return t.put(s, f"{value} = {t.of(old)}")


@kind
def index(t, rng):
    """An index of a subscript becomes another value of the script, or is computed with."""
    n = pick(rng, [n for n in t.nodes if isinstance(n, ast.Subscript)])
    if not n:
        return None
    i = rng.choice(n.slice.elts) if isinstance(n.slice, ast.Tuple) and n.slice.elts else n.slice
    names = sorted({m.id for m in t.nodes if isinstance(m, ast.Name)})
    return t.put(i, rng.choice([rng.choice(names), "{} + 1", "{} * 2", "{} // 2", "{}:{} + 2", "{}:{} + 1", "T.int64({})", "T.ramp({}, 1, 4)", "{} % 3.0", "({}, 0)", "[{}]", "{}:", ":{}", "{} == 0", "{}::2",
                                "{}:{} + 4:2", "T.Broadcast({}, 2)", f"{rng.choice(names)}[{{}}]", "T.min({}, 2)", "'{}'", "-{}", "{}.x", "~{}"]).format(t.of(i), t.of(i)))


@kind
def other_branch(t, rng):
    """A `for`, `if` or `while` gets another branch, a `with` another item."""
    s = pick(rng, [s for s in logical(t) if isinstance(s, (ast.With, ast.For, ast.If))])
    if not s:
        return None
    if isinstance(s, ast.With):
        i = s.items[-1]
        end = t.span(i.optional_vars or i.context_expr)[1]
        return t.text[:end] + rng.choice([", T.sblock('q')", " as q_w", ", T.attr(0, 'k', 1)", ", T.init()", ", T.launch_thread('threadIdx.x', 4) as q_t", ", 3", ", T.allocate([4], 'int32') as q_a"]) + t.text[end:]
    indent = " " * s.col_offset
    new = rng.choice(["T.evaluate(0)", "pass", "T.evaluate(q_u)", "return"])
    return "".join(t.lines[:s.end_lineno] + [f"{indent}{rng.choice(['else', 'else', 'elif 1 < 2', 'elif True', 'finally'])}:\n", f"{indent}    {new}\n"] + t.lines[s.end_lineno:])
