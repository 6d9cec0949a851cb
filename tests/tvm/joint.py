"""Random changes that concern all of an operator case at once, for differ.py.

Every function of KINDS takes a Case and a random.Random, changes the case's tree in place and returns True, or returns False where it
has no place. The changes keep a call's operands in step (all axes of one length become another length), so that TVM often takes the call:
lengths and ranks that no written case has, unknown ranks and dtypes, layouts, axes from the end, arguments by keyword, devices, tuples.
"""
import ast
import re

DTYPES = ["float32", "float16", "float64", "bfloat16", "int32", "int64", "int8", "uint8", "uint32", "bool", "int16", "float8_e4m3fn"]
LENGTHS = [0, 1, 1, 2, 3, 5, 6, 7, 8, 9, 12, 16, 17, 30, "n", "n", "m", "q", "n * 2", "n + 1", "n * m", "n // 2", "n - 1", "m * 4"]
KINDS = {}


def kind(f):
    KINDS[f.__name__.rstrip("_")] = f
    return f


def expression(text):
    return ast.parse(text, mode="eval").body


class Case:
    """A script's tree: the function main, its tensors' annotations, the call bound to gv."""

    def __init__(self, tree, names):
        self.tree, self.names = tree, names  # names: of the operator's parameters, in order
        self.fn = next(f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and f.name == "main")
        found = next((s for s in ast.walk(self.fn) if isinstance(s, ast.Assign) and getattr(s.targets[0], "id", "") == "gv"), None)
        self.call = found.value if found is not None and isinstance(found.value, ast.Call) else None

    def tensors(self):
        return [n for a in self.fn.args.args if a.annotation for n in ast.walk(a.annotation) if isinstance(n, ast.Call) and ast.unparse(n.func) == "R.Tensor"]

    def shapes(self):
        return [s for t in self.tensors() for s in t.args[:1] + [k.value for k in t.keywords if k.arg == "shape"] if isinstance(s, (ast.Tuple, ast.List))]

    def numbers(self):
        """(list, index) of the whole numbers that are given to the call."""
        out = []
        for n in ast.walk(self.call) if self.call else []:
            if isinstance(n, (ast.Tuple, ast.List)):
                out += [(n.elts, k) for k, e in enumerate(n.elts) if is_whole(e)]
            elif isinstance(n, ast.Call):
                out += [(n.args, k) for k, e in enumerate(n.args) if is_whole(e)]
        return out

    def attributes(self):
        """(get, set) of every argument that is no operand."""
        out = []
        if self.call:
            for k, a in enumerate(self.call.args):
                if not isinstance(a, (ast.Name, ast.Starred)):
                    out.append((a, lambda v, k=k: self.call.args.__setitem__(k, v)))
            for kw in self.call.keywords:
                out.append((kw.value, lambda v, kw=kw: setattr(kw, "value", v)))
        return out

    def declare(self):
        """Binds every symbol of the signature: by a parameter of Shape kind, and in the body where it uses them."""
        texts = [n.value for a in self.fn.args.args if a.annotation for n in ast.walk(a.annotation) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        used = {x for t in texts for x in re.findall(r"\b[nmqk]\b", t)}
        bare = {t for t in texts if t in used}
        body = {n.id for s in self.fn.body for n in ast.walk(s) if isinstance(n, ast.Name)} & set("nmqk")
        have = {t.id for s in self.fn.body if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Name)}
        need = sorted((used | body) - bare - {a.arg for a in self.fn.args.args})
        if need:
            self.fn.args.args.append(ast.arg("shq", expression(f"R.Shape([{', '.join(repr(x) for x in need)}])")))
        for x in sorted(body - have - {a.arg for a in self.fn.args.args}):
            self.fn.body.insert(0, ast.parse(f"{x} = T.int64()").body[0])


def is_whole(e):
    return isinstance(e, ast.Constant) and isinstance(e.value, int) and not isinstance(e.value, bool)


@kind
def lengths(c, rng):
    """Every length of the operands becomes another one, the same wherever it stands; at times in the call, too."""
    old = list(dict.fromkeys(e.value for s in c.shapes() for e in s.elts if isinstance(e, ast.Constant)))
    if not old:
        return False
    some = rng.sample(old, rng.randint(1, len(old)))
    new = {o: rng.choice(LENGTHS) for o in some}
    for s in c.shapes():
        s.elts = [ast.Constant(new[e.value]) if isinstance(e, ast.Constant) and e.value in new else e for e in s.elts]
    if rng.random() < 0.5:
        for place, k in c.numbers():
            if place[k].value in new and place[k].value > 1:
                place[k] = expression(str(new[place[k].value]))
    c.declare()
    return True


@kind
def rank(c, rng):
    """One more axis, or one less, at the same end of every operand."""
    some = [s for s in c.shapes() if s.elts]
    if not some:
        return False
    if rng.random() < 0.3:
        some = rng.sample(some, rng.randint(1, len(some)))
    front, length, less = rng.random() < 0.6, rng.choice([0, 1, 2, 3, "n"]), rng.random() < 0.4
    for s in some:
        if less:
            del s.elts[0 if front else -1]
        else:
            s.elts.insert(0 if front else len(s.elts), ast.Constant(length))
    return True


@kind
def forget(c, rng):
    """Shapes, ranks or dtypes of some operands are not known."""
    some = c.tensors()
    if not some:
        return False
    for t in rng.sample(some, rng.randint(1, len(some))):
        what = rng.choice(["shape", "rank", "dtype", "both"])
        shape = next((s for s in t.args[:1] + [k.value for k in t.keywords if k.arg == "shape"] if isinstance(s, (ast.Tuple, ast.List))), None)
        dtype = next((a for a in t.args + [k.value for k in t.keywords if k.arg == "dtype"] if isinstance(a, ast.Constant) and isinstance(a.value, str)), None)
        rest = [k for k in t.keywords if k.arg not in ("shape", "dtype", "ndim")]
        new = [ast.keyword("shape", shape)] if what == "dtype" and shape is not None else []
        if what == "shape" and shape is not None:
            new.append(ast.keyword("ndim", ast.Constant(len(shape.elts))))
        if dtype is not None and what not in ("dtype", "both"):
            new.append(ast.keyword("dtype", dtype))
        t.args, t.keywords = [], new + rest
    return True


@kind
def dtypes(c, rng):
    """All operands of one dtype get another one."""
    old = [n for t in c.tensors() for n in ast.walk(t) if isinstance(n, ast.Constant) and n.value in DTYPES]
    if not old:
        return False
    of, new = rng.choice(old).value, rng.choice(DTYPES)
    for n in old:
        if n.value == of:
            n.value = new
    if c.call and rng.random() < 0.3:
        for n in ast.walk(c.call):
            if isinstance(n, ast.Constant) and n.value == of:
                n.value = new
    return True


@kind
def layout(c, rng):
    """A layout's letters in another order, with one more or one less, small, or packed."""
    found = [n for n in ast.walk(c.call)] if c.call else []
    found = [n for n in found if isinstance(n, ast.Constant) and isinstance(n.value, str) and re.fullmatch(r"[NCDHWOIS]{2,6}(\d+\w)*", n.value)]
    if not found:
        return False
    n = rng.choice(found)
    letters = re.match(r"[A-Z]+", n.value)[0]
    mixed = "".join(rng.sample(letters, len(letters)))
    n.value = rng.choice([mixed, mixed, mixed, letters[::-1], letters.lower(), letters + "4c", letters + "16c", mixed + "8o", letters + "4i4o", letters[:-1], letters + letters[0],
                          "NCHW", "NHWC", "NCW", "NCDHW", "OIHW", "HWIO", letters + "0c", letters + "c", "", "ABCD", letters.replace("H", "h"), letters + "2x", letters + "4W", "__undef__"])
    return True


@kind
def axes(c, rng):
    """Axes from the other end, just out of range, or twice."""
    if not c.call or not c.shapes():
        return False
    ndim = len(c.shapes()[0].elts)
    found = [(kw.value, kw) for kw in c.call.keywords if kw.arg and ("ax" in kw.arg or "dim" in kw.arg)]
    if not found:
        slots = [(p, k) for p, k in c.numbers()]
        if not slots:
            return False
        place, k = rng.choice(slots)
        place[k] = expression(str(rng.choice([place[k].value - ndim, ndim, -ndim, -ndim - 1, ndim - 1, place[k].value + 1])))
        return True
    value, kw = rng.choice(found)
    if isinstance(value, (ast.Tuple, ast.List)) and value.elts:
        k = rng.randrange(len(value.elts))
        how = rng.choice(["twice", "end", "out"])
        if how == "twice":
            value.elts[k] = value.elts[rng.randrange(len(value.elts))]
        elif is_whole(value.elts[k]):
            value.elts[k] = expression(str(value.elts[k].value - ndim if how == "end" else rng.choice([ndim, -ndim - 1, ndim - 1, -ndim])))
        return True
    kw.value = expression(str(rng.choice([-1, -ndim, ndim - 1, ndim, -ndim - 1, [0, 0], [-1, ndim - 1], [], list(range(ndim)), [ndim], None])))
    return True


@kind
def by_name(c, rng):
    """Positional arguments by keyword, in another order; at times one twice, or one left out."""
    if not c.call or not c.call.args or any(isinstance(a, ast.Starred) for a in c.call.args) or len(c.names) < len(c.call.args):
        return False
    k = rng.randrange(len(c.call.args))
    moved = [ast.keyword(n, a) for n, a in zip(c.names[k:], c.call.args[k:])]
    if any(n.startswith("*") for n in c.names[k:k + len(moved)]):
        return False
    rng.shuffle(moved)
    how = rng.random()
    if how < 0.15:
        del moved[0]
    elif how < 0.3 and k:
        moved.append(ast.keyword(c.names[rng.randrange(k)], ast.Constant(rng.choice([0, None]))))
    c.call.args, c.call.keywords = c.call.args[:k], moved + c.call.keywords
    return True


@kind
def positional(c, rng):
    """Keywords as positional arguments, where they follow those that are."""
    if not c.call or not c.call.keywords or any(isinstance(a, ast.Starred) for a in c.call.args):
        return False
    while len(c.call.args) < len(c.names):
        k = next((k for k in c.call.keywords if k.arg == c.names[len(c.call.args)]), None)
        if k is None:
            break
        c.call.keywords.remove(k)
        c.call.args.append(k.value)
    if rng.random() < 0.4:
        c.call.args.append(expression(rng.choice(["None", "1", "True", '"float32"', "x", "[1]"])))
    return True


ODD = ["None", "None", "1.0", "2.5", "True", "False", "-1", "0", '"foo"', '""', "[]", "()", "[None]", "[1.0]", "[True]", "(0,)", "[0, 0]", "R.prim_value(1)", "R.const(1)",
       'R.const(1, "int64")', "R.const([1, 2])", "T.int32(1)", "T.int64(1)", "T.float32(1.0)", "R.shape([1])", "R.shape([])", "{}", "n", "n + 1", "R.str(\"a\")", 'R.dtype("int32")',
       "1j", "b''", "...", "{1}", "lambda i: i", "1 if True else 2", "not True", "2 ** 3", "7 // 2", "1 / 2", "-(-1)", "1 < 2", "min(1, 2)", "len([1])", "float('inf')", "R.add", "T.max(1, 2)",
       'T.bool(True)', 'T.float16(1)', "R.tuple()", "(x, x)", "x", "[x]", "R.shape([n, n])", "T.int64(2) * n", "range(2)", "list(range(2))", "1_0", "0x2", "1e3", "'a' 'b'", 'f"NCHW"', "True + 1"]


@kind
def odd(c, rng):
    """An attribute of another kind."""
    some = c.attributes()
    text = rng.choice(ODD)
    if rng.random() < 0.4 and c.call and c.names:
        name = rng.choice(c.names)
        if not name.startswith("*") and all(k.arg != name for k in c.call.keywords) and c.names.index(name) >= len(c.call.args):
            c.call.keywords.append(ast.keyword(name, expression(text)))
            some = []
        elif not some:
            return False
    elif not some:
        return False
    if some:
        value, put = rng.choice(some)
        if isinstance(value, (ast.Tuple, ast.List)) and value.elts and rng.random() < 0.6:
            value.elts[rng.randrange(len(value.elts))] = expression(text)
        else:
            put(expression(text))
    known = {a.arg for a in c.fn.args.args}
    if "x" in {n.id for n in ast.walk(c.call) if isinstance(n, ast.Name)} and "x" not in known and known:
        for n in ast.walk(c.call):
            if isinstance(n, ast.Name) and n.id == "x":
                n.id = sorted(known)[0]
    c.declare()
    return True


@kind
def device(c, rng):
    """Operands on devices that the module lists, at times on two."""
    if not isinstance(c.tree.body[-1], ast.FunctionDef) or not c.tensors():
        return False
    which = rng.choice([["llvm"], ["llvm", "cuda"], ["llvm", "llvm"], ["llvm:0", "cuda:0"], ["cuda"], ["llvm", "opencl"]])
    for t in c.tensors():
        if rng.random() < 0.7:
            t.keywords.append(ast.keyword("vdevice", ast.Constant(rng.choice(which))))
    infos = ast.parse('I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})').body[0]
    module = ast.parse("@I.ir_module\nclass Module:\n    pass\n").body[0]
    module.body = [infos, c.tree.body[-1]]
    c.tree.body[-1] = module
    return True


@kind
def field(c, rng):
    """An operand as a field of a parameter that is a tuple, or the tuple itself."""
    if not c.call:
        return False
    some = [a for a in c.fn.args.args if a.annotation is not None and not (isinstance(a.annotation, ast.Call) and ast.unparse(a.annotation.func) == "R.Tuple")]
    if not some:
        return False
    a = rng.choice(some)
    k = rng.choice([0, 0, 0, 1, -1, 2, -3])
    whole = rng.random() < 0.15
    if whole and rng.random() < 0.5:
        a.annotation = expression(f"R.Tuple({ast.unparse(a.annotation)})")
        return True
    a.annotation = expression(f"R.Tuple({ast.unparse(a.annotation)}, {ast.unparse(a.annotation)})")

    class Uses(ast.NodeTransformer):
        def visit_Name(self, n):
            return expression(f"{n.id}[{k}]") if n.id == a.arg and isinstance(n.ctx, ast.Load) else n

    if not whole:
        Uses().visit(c.call)
    return True


@kind
def operand(c, rng):
    """An operand written in the call: a constant, a nested call, a shape, nothing."""
    names = [n for n in (ast.walk(c.call) if c.call else []) if isinstance(n, ast.Name) and n.id in {a.arg for a in c.fn.args.args}]
    if not names:
        return False
    n = rng.choice(names)
    x = n.id
    new = expression(rng.choice([f"R.abs({x})", f"R.add({x}, {x})", f'R.astype({x}, "int32")', f'R.astype({x}, "float32")', "R.const(1.0)", 'R.const(2, "int32")', "R.const([1.0, 2.0])",
                                 "R.const([[1, 2], [3, 4]])", 'R.zeros((2, 3), "float32")', 'R.full((), R.const(1.0), "float32")', f"R.shape_of({x})", f"R.permute_dims({x})",
                                 f"R.expand_dims({x}, 0)", f"R.squeeze({x})", f"R.flatten({x})", f"R.shape([2, 3])", "R.prim_value(2)", f"-{x}", f"{x} + {x}", f"{x} * R.const(2.0)",
                                 f"({x},)[0]", f"R.tuple({x})[0]", f"R.concat([{x}, {x}])", f"R.split({x}, 2)[0]", f"R.split({x}, 2)", f"R.nn.relu({x})", f"R.sum({x})", f"R.shape_to_tensor(R.shape_of({x}))",
                                 f"R.call_pure_packed(\"f\", {x}, sinfo_args=R.Tensor)", f"R.call_pure_packed(\"f\", {x}, sinfo_args=(R.Tensor((2, 3), \"float32\"),))",
                                 f"R.reshape({x}, (-1,))", f"R.unique({x})", f"R.nonzero({x})", f"R.broadcast_to({x}, (2, 3))", f"R.memory.view({x}, (2,))", f"R.stop_lift_params({x})", "None", "1", "2.0", "True"]))

    class Uses(ast.NodeTransformer):
        def visit_Name(self, m):
            return new if m is n else m

    Uses().visit(c.call)
    return True
