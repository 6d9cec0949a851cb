"""Random changes of a Relax program's syntax tree, one function per kind of change.

Every function of MUTATIONS takes the tree and a random.Random, changes the tree in place at one drawn place and returns True, or returns
False when the program has no such place. They do not care whether the result means anything: the programs go to TVM and to rlx alike.
"""
import ast
import copy

DTYPES = ["float32", "float16", "float64", "bfloat16", "int32", "int64", "int8", "uint8", "bool"]
UNARY = ["abs", "exp", "nn.relu", "negative", "sqrt", "nn.softmax", "nn.gelu", "isnan", "logical_not", "bitwise_not", "flatten", "squeeze", "sum",
         "argmax", "shape_of", "nonzero", "unique", "zeros_like", "permute_dims", "cumsum", "sort", "argsort", "tril", "size", "clip", "round"]
BINARY = ["add", "subtract", "multiply", "divide", "matmul", "maximum", "power", "equal", "less", "logical_and", "bitwise_xor", "floor_mod", "take",
          "reshape", "broadcast_to", "expand_dims", "nn.linear", "nn.conv2d", "left_shift", "collapse_sum_like", "nn.prelu", "where", "concat", "gather_elements"]
ANNOTATIONS = ["R.Object", "R.Tensor", "R.Shape", "R.Shape(ndim=2)", 'R.Prim("int64")', 'R.Tuple(R.Tensor, R.Tensor)', "R.Tuple", "R.Callable",
               'R.Tensor((), "float32")', 'R.Tensor((2, 3), "float32")', 'R.Tensor("float32", ndim=2)', 'R.Tensor(("zz",), "float32")', "R.Shape([2, 3])",
               'R.Prim("float32")', "R.Tensor(ndim=3)"]
MUTATIONS = {}


def mutation(f):
    MUTATIONS[f.__name__.rstrip("_")] = f
    return f


def mutate(tree, rng, only=None):
    """Changes the tree by `only` or by a drawn kind of change; its name, or None when there is no place for it."""
    name = only or rng.choice(sorted(MUTATIONS))
    return name if MUTATIONS[name](tree, rng) else None


# ---------------------------------------------------------------- places

def dotted(node):
    """`R.nn.relu` as text, "" when the node is no dotted name."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id] + parts[::-1]) if isinstance(node, ast.Name) else ""


def decorated(node):
    return [dotted(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list]


def functions(tree):
    """The Relax functions, inner ones too."""
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and "R.function" in decorated(n)]


def inside(tree):
    """All nodes of the Relax functions but their decorators."""
    done = set()
    for f in functions(tree):
        for part in [f.args, *f.body] + ([f.returns] if f.returns else []):
            for n in ast.walk(part):
                if id(n) not in done:
                    done.add(id(n))
                    yield n


def draw(rng, found):
    found = list(found)
    return rng.choice(found) if found else None


def calls(tree, *names):
    return [n for n in inside(tree) if isinstance(n, ast.Call) and (dotted(n.func) in names)]


def operators(tree, arity=None):
    skip = ("R.Tensor", "R.Tuple", "R.Shape", "R.Prim", "R.Object", "R.Callable", "R.output", "R.func_attr", "R.dataflow", "R.func_ret_struct_info")
    return [n for n in inside(tree) if isinstance(n, ast.Call) and dotted(n.func).startswith("R.") and dotted(n.func) not in skip
            and (arity is None or len(n.args) == arity)]


def shapes_of(tree):
    """The written shapes: the lists of R.Tensor and R.Shape."""
    return [a for c in calls(tree, "R.Tensor", "R.Shape") for a in c.args + [k.value for k in c.keywords if k.arg == "shape"]
            if isinstance(a, (ast.Tuple, ast.List))]


def statements(tree, kinds=(ast.Assign, ast.AnnAssign, ast.Expr)):
    """(list that holds it, index, statement)"""
    out = []
    for f in functions(tree):
        for holder in ast.walk(f):
            for field in ("body", "orelse"):
                body = getattr(holder, field, None)
                if isinstance(body, list):
                    out += [(body, k, s) for k, s in enumerate(body) if isinstance(s, kinds)]
    return out


def names(tree):
    return [n for n in inside(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id not in "RTI"]


def bound(tree):
    return sorted({n.id for n in inside(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} |
                  {a.arg for f in functions(tree) for a in f.args.args})


def set_dtype(call, value):
    call.args = [a for a in call.args if not (isinstance(a, ast.Constant) and isinstance(a.value, str))]
    call.keywords = [k for k in call.keywords if k.arg != "dtype"]
    if value:
        call.keywords.append(ast.keyword("dtype", ast.Constant(value)))
    return True


def expression(text):
    return ast.parse(text, mode="eval").body


# ---------------------------------------------------------------- StructInfo

@mutation
def dim(tree, rng):
    found = [(s, k) for s in shapes_of(tree) for k, e in enumerate(s.elts) if isinstance(e, ast.Constant) and isinstance(e.value, int)]
    place = draw(rng, found)
    if place:
        place[0].elts[place[1]] = ast.Constant(rng.choice([place[0].elts[place[1]].value + 1, place[0].elts[place[1]].value + 1, 0, 1, 2, -1]))
    return bool(place)


@mutation
def symbolic(tree, rng):
    place = draw(rng, [(s, k) for s in shapes_of(tree) for k in range(len(s.elts))])
    if place:
        place[0].elts[place[1]] = ast.Constant("zz") if rng.random() < 0.8 else expression("zz")
    return bool(place)


@mutation
def rank(tree, rng):
    s = draw(rng, shapes_of(tree))
    if s is not None:
        if s.elts and rng.random() < 0.5:
            del s.elts[rng.randrange(len(s.elts))]
        else:
            s.elts.append(ast.Constant(rng.choice([1, 7])))
    return s is not None


@mutation
def dtype(tree, rng):
    c = draw(rng, calls(tree, "R.Tensor"))
    return c is not None and set_dtype(c, rng.choice(DTYPES))


@mutation
def nodtype(tree, rng):
    c = draw(rng, calls(tree, "R.Tensor"))
    return c is not None and set_dtype(c, None)


@mutation
def noshape(tree, rng):
    c = draw(rng, [c for c in calls(tree, "R.Tensor") if any(isinstance(a, (ast.Tuple, ast.List)) for a in c.args)])
    if c is not None:
        s = next(a for a in c.args if isinstance(a, (ast.Tuple, ast.List)))
        text = next((a for a in c.args if isinstance(a, ast.Constant) and isinstance(a.value, str)), None)
        c.args = []
        c.keywords = [k for k in c.keywords if k.arg not in ("ndim", "shape")] + ([ast.keyword("dtype", text)] if text else [])
        if rng.random() < 0.7:
            c.keywords.append(ast.keyword("ndim", ast.Constant(len(s.elts))))
    return c is not None


@mutation
def ret(tree, rng):
    f = draw(rng, [f for f in functions(tree) if f.returns])
    if f is None:
        return False
    tensors = [n for n in ast.walk(f.returns) if isinstance(n, ast.Call) and dotted(n.func) == "R.Tensor" and n.args and isinstance(n.args[0], (ast.Tuple, ast.List))]
    how = rng.random()
    if tensors and how < 0.5:
        rng.choice(tensors).args[0].elts.append(ast.Constant(7))
    elif how < 0.75:
        f.returns = None
    else:
        f.returns = expression(rng.choice(ANNOTATIONS))
    return True


@mutation
def annotation(tree, rng):
    """Another StructInfo for a parameter or a binding, drawn from a list or from the program."""
    own = [copy.deepcopy(n) for n in calls(tree, "R.Tensor", "R.Tuple", "R.Shape")]
    new = rng.choice(own) if own and rng.random() < 0.6 else expression(rng.choice(ANNOTATIONS))
    places = [a for f in functions(tree) for a in f.args.args] + [s for _, _, s in statements(tree, (ast.AnnAssign,))]
    place = draw(rng, places)
    if place is None:
        return False
    place.annotation = new
    return True


@mutation
def annotate(tree, rng):
    """An annotation for a binding that has none."""
    own = [copy.deepcopy(n) for n in calls(tree, "R.Tensor", "R.Tuple", "R.Shape")]
    place = draw(rng, [(b, k, s) for b, k, s in statements(tree, (ast.Assign,)) if isinstance(s.targets[0], ast.Name)])
    if not place:
        return False
    body, k, s = place
    body[k] = ast.AnnAssign(s.targets[0], rng.choice(own) if own and rng.random() < 0.7 else expression(rng.choice(ANNOTATIONS)), s.value, 1)
    return True


@mutation
def unannotated(tree, rng):
    place = draw(rng, statements(tree, (ast.AnnAssign,)))
    if place:
        body, k, s = place
        body[k] = ast.Assign([s.target], s.value)
    return bool(place)


@mutation
def match_cast(tree, rng):
    """A match_cast of a bound variable behind its binding, or another StructInfo in one that is there."""
    own = [copy.deepcopy(n) for n in calls(tree, "R.Tensor", "R.Shape")]
    new = rng.choice(own) if own and rng.random() < 0.6 else expression(rng.choice(ANNOTATIONS + ['R.Tensor(("p", "q"))', "R.Tensor((n, 4))"]))
    there = calls(tree, "R.match_cast")
    if there and rng.random() < 0.7:
        c = rng.choice(there)
        c.args[1:] = [new]
        return True
    place = draw(rng, [(b, k, s.targets[0].id) for b, k, s in statements(tree, (ast.Assign,)) if isinstance(s.targets[0], ast.Name)])
    if not place:
        return False
    body, k, name = place
    body.insert(k + 1, ast.Assign([ast.Name(f"{name}_c", ast.Store())], ast.Call(expression("R.match_cast"), [ast.Name(name, ast.Load()), new], [])))
    return True


@mutation
def out_sinfo(tree, rng):
    """The outputs of a call of another language: another StructInfo, another count."""
    found = [(c, k) for c in operators(tree) for k in c.keywords if k.arg in ("out_sinfo", "sinfo_args", "out_ty")]
    place = draw(rng, found)
    if not place:
        return False
    c, k = place
    how = rng.random()
    if how < 0.15:
        c.keywords.remove(k)
    elif how < 0.4:
        k.value = ast.List([k.value, copy.deepcopy(k.value)], ast.Load()) if not isinstance(k.value, (ast.List, ast.Tuple)) else k.value.elts[0] if k.value.elts else expression("R.Object")
    else:
        k.value = expression(rng.choice(ANNOTATIONS))
    return True


@mutation
def buffer(tree, rng):
    """The shape or the dtype of a PrimFunc's buffer."""
    found = [c for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and any("prim_func" in d for d in decorated(f))
             for n in f.args.args for c in [n.annotation] if isinstance(c, ast.Call) and dotted(c.func) == "T.Buffer" and c.args]
    c = draw(rng, found)
    if c is None or not isinstance(c.args[0], (ast.Tuple, ast.List)):
        return False
    s = c.args[0]
    how = rng.random()
    if how < 0.4 and s.elts:
        s.elts[rng.randrange(len(s.elts))] = expression(rng.choice(["T.int64(5)", "T.int64(1)", "T.int64(16)"]))
    elif how < 0.6:
        s.elts.append(expression("T.int64(1)"))
    elif len(c.args) > 1:
        c.args[1] = ast.Constant(rng.choice(DTYPES))
    else:
        return False
    return True


# ---------------------------------------------------------------- calls

def exchange(rng, c, pool):
    c.func = expression("R." + rng.choice([o for o in pool if "R." + o != dotted(c.func)]))
    return True


@mutation
def op(tree, rng):
    """add and matmul change places, else another operator of one or two operands."""
    usual = [c for c in operators(tree) if dotted(c.func) in ("R.add", "R.matmul", "R.multiply", "R.subtract")]
    if usual and rng.random() < 0.5:
        return exchange(rng, rng.choice(usual), ["matmul", "matmul", "add"])
    c = draw(rng, [c for c in operators(tree, 1) + operators(tree, 2) if not dotted(c.func).startswith(("R.call", "R.const", "R.prim", "R.match", "R.vm", "R.memory"))])
    return c is not None and exchange(rng, c, UNARY if len(c.args) == 1 else BINARY)


@mutation
def axis(tree, rng):
    found = [k for c in operators(tree) for k in c.keywords if k.arg in ("axis", "axes", "dim", "indices_or_sections")]
    k = draw(rng, found)
    if k is None:
        return False
    if isinstance(k.value, (ast.List, ast.Tuple)) and k.value.elts and rng.random() < 0.8:
        k.value.elts[rng.randrange(len(k.value.elts))] = ast.Constant(rng.choice([-7, -1, 0, 1, 2, 4, 6]))
    else:
        k.value = ast.Constant(rng.choice([-7, -2, -1, 0, 1, 2, 3, 4, 6, None]))
    return True


@mutation
def arg(tree, rng):
    c = draw(rng, [c for c in operators(tree) if c.args])
    if c is not None:
        del c.args[rng.choice([0, 0, rng.randrange(len(c.args))])]
    return c is not None


@mutation
def extra(tree, rng):
    """An argument more: one that is there, another variable, a number."""
    c = draw(rng, [c for c in operators(tree) if c.args])
    known = bound(tree)
    if c is None or not known:
        return False
    c.args.insert(rng.randrange(len(c.args) + 1), rng.choice([copy.deepcopy(c.args[0]), ast.Name(rng.choice(known), ast.Load()), ast.Constant(2)]))
    return True


@mutation
def swap(tree, rng):
    c = draw(rng, [c for c in operators(tree) if len(c.args) > 1])
    if c is not None:
        i, k = rng.sample(range(len(c.args)), 2)
        c.args[i], c.args[k] = c.args[k], c.args[i]
    return c is not None


@mutation
def operand(tree, rng):
    """A variable's use becomes another variable's."""
    n, known = draw(rng, names(tree)), bound(tree)
    if n is not None and known:
        n.id = rng.choice(known)
    return n is not None and bool(known)


@mutation
def constant(tree, rng):
    """Another number, flag or word in a call."""
    places = [(c, "args", k) for c in operators(tree) for k, a in enumerate(c.args) if isinstance(a, (ast.Constant, ast.List, ast.Tuple))]
    places += [(k, "value", None) for c in operators(tree) for k in c.keywords]
    place = draw(rng, places)
    if not place:
        return False
    holder, field, k = place
    old = holder.value if k is None else holder.args[k]
    if isinstance(old, (ast.List, ast.Tuple)):
        if old.elts and rng.random() < 0.6:
            del old.elts[rng.randrange(len(old.elts))]
        else:
            old.elts.append(copy.deepcopy(old.elts[-1]) if old.elts else ast.Constant(1))
        return True
    value = old.value if isinstance(old, ast.Constant) else 0
    if isinstance(value, bool):
        new = ast.Constant(not value)
    elif isinstance(value, str):
        new = ast.Constant(rng.choice(DTYPES + ["NHWC", "NCHW", "mean", "", "add"]))
    elif isinstance(value, float):
        new = ast.Constant(rng.choice([0, 1.5, -1, None]))
    else:
        new = expression(rng.choice(["-1", "0", "1", "2", "3", "None", "[1, 2]", '"float32"', "1.5"]))
    if k is None:
        holder.value = new
    else:
        holder.args[k] = new
    return True


@mutation
def keyword(tree, rng):
    """A keyword less, or one that another call has."""
    found = [c for c in operators(tree) if c.keywords]
    c = draw(rng, found)
    if c is None:
        return False
    if rng.random() < 0.6:
        c.keywords.remove(rng.choice(c.keywords))
    else:
        k = copy.deepcopy(rng.choice(rng.choice(found).keywords))
        if any(x.arg == k.arg for x in c.keywords):
            return False
        c.keywords.append(k)
    return True


@mutation
def const(tree, rng):
    c = draw(rng, calls(tree, "R.const", "R.prim_value", "R.str", "R.dtype", "R.shape"))
    if c is None:
        return False
    if len(c.args) > 1 and rng.random() < 0.5:
        c.args[1] = ast.Constant(rng.choice(DTYPES))
    elif rng.random() < 0.5:
        c.func = expression(rng.choice(["R.const", "R.prim_value", "R.shape", "R.str", "R.dtype"]))
    else:
        c.args[:1] = [expression(rng.choice(["1", "2.5", "True", "-3", "[1, 2]", '"a"', "zz"]))]
    return True


@mutation
def callee(tree, rng):
    """Another function of the module, an argument more or less in the tuple of call_tir or in a direct call."""
    found = [n for n in inside(tree) if isinstance(n, ast.Call) and (dotted(n.func).startswith("cls.") or any(dotted(a).startswith("cls.") for a in n.args))]
    c = draw(rng, found)
    if c is None:
        return False
    others = [f.name for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)]
    how = rng.random()
    target = c if dotted(c.func).startswith("cls.") else None
    if how < 0.4:
        new = ast.Attribute(ast.Name("cls", ast.Load()), rng.choice(others + ["missing"]), ast.Load())
        if target is not None:
            c.func = new
        else:
            c.args[next(k for k, a in enumerate(c.args) if dotted(a).startswith("cls."))] = new
        return True
    args = c.args if target is not None else next((a.elts for a in c.args if isinstance(a, ast.Tuple)), None)
    if args is None:
        return False
    if args and how < 0.7:
        del args[rng.randrange(len(args))]
    elif args and how < 0.85:
        args.append(copy.deepcopy(rng.choice(args)))
    else:
        args[:] = args[::-1]
    return True


# ---------------------------------------------------------------- bindings and blocks

@mutation
def name(tree, rng):
    n = draw(rng, names(tree))
    if n is not None:
        n.id += "_q"
    return n is not None


@mutation
def target(tree, rng):
    """A binding gets the name of another one."""
    place, known = draw(rng, [s for _, _, s in statements(tree, (ast.Assign,)) if isinstance(s.targets[0], ast.Name)]), bound(tree)
    if place is None or not known:
        return False
    place.targets[0].id = rng.choice(known)
    return True


@mutation
def deleted(tree, rng):
    place = draw(rng, statements(tree))
    if place and len(place[0]) > 1:
        del place[0][place[1]]
        return True
    return False


@mutation
def duplicated(tree, rng):
    place = draw(rng, statements(tree))
    if place:
        place[0].insert(place[1] + 1, copy.deepcopy(place[2]))
    return bool(place)


@mutation
def reordered(tree, rng):
    place = draw(rng, [p for p in statements(tree) if p[1] + 1 < len(p[0])])
    if place:
        body, k, _ = place
        body[k], body[k + 1] = body[k + 1], body[k]
    return bool(place)


@mutation
def output(tree, rng):
    place = draw(rng, [p for p in statements(tree, (ast.Expr,)) if isinstance(p[2].value, ast.Call) and dotted(p[2].value.func) == "R.output"])
    if not place:
        return False
    body, k, s = place
    known = bound(tree)
    how = rng.random()
    if how < 0.4 and len(body) > 1:
        del body[k]
    elif how < 0.6 and s.value.args:
        del s.value.args[rng.randrange(len(s.value.args))]
    elif how < 0.9 and known:
        s.value.args.append(ast.Name(rng.choice(known), ast.Load()))
    else:
        s.value.args = [ast.Name("missing", ast.Load())]
    return True


@mutation
def undataflow(tree, rng):
    """The statements of a dataflow block without the block (R.output goes, or stays)."""
    found = [(b, k, s) for b, k, s in statements(tree, (ast.With,)) if any("dataflow" in dotted(getattr(i.context_expr, "func", i.context_expr)) for i in s.items)]
    place = draw(rng, found)
    if not place:
        return False
    body, k, s = place
    stay = rng.random() < 0.1
    body[k:k + 1] = [x for x in s.body if stay or not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Call) and dotted(x.value.func) == "R.output")] or [ast.Pass()]
    return True


@mutation
def dataflow(tree, rng):
    """Some statements of a function become a dataflow block with all their variables as outputs."""
    f = draw(rng, functions(tree))
    if f is None:
        return False
    run = [k for k, s in enumerate(f.body) if isinstance(s, (ast.Assign, ast.AnnAssign))]
    if not run:
        return False
    a = rng.choice(run)
    b = a + 1
    while b in run and rng.random() < 0.7:
        b += 1
    inner = f.body[a:b]
    out = sorted({n.id for s in inner for t in (s.targets if isinstance(s, ast.Assign) else [s.target]) for n in ast.walk(t) if isinstance(n, ast.Name)})
    inner.append(ast.Expr(ast.Call(expression("R.output"), [ast.Name(n, ast.Load()) for n in out], [])))
    f.body[a:b] = [ast.With([ast.withitem(expression("R.dataflow()"))], inner)]
    return True


@mutation
def nested(tree, rng):
    """A call becomes the operand of a new one."""
    place = draw(rng, statements(tree, (ast.Assign, ast.AnnAssign, ast.Return)))
    if not place or place[2].value is None:
        return False
    s = place[2]
    s.value = ast.Call(expression("R." + rng.choice(UNARY)), [s.value], [])
    return True


@mutation
def returned(tree, rng):
    place, known = draw(rng, statements(tree, (ast.Return,))), bound(tree)
    if not place or not known:
        return False
    body, k, s = place
    how = rng.random()
    if how < 0.15:
        if len(body) == 1:
            return False
        del body[k]
    elif how < 0.6:
        s.value = ast.Name(rng.choice(known), ast.Load())
    elif how < 0.8:
        s.value = ast.Tuple([s.value or ast.Constant(None), ast.Name(rng.choice(known), ast.Load())], ast.Load())
    else:
        s.value = expression(rng.choice(["R.const(1)", "None", "R.shape([2, 3])", "(R.const(1), R.const(2.0))", "R.prim_value(3)", "1", "zz", "R.tuple()"]))
    return True


@mutation
def tuple_get(tree, rng):
    found = [n for n in inside(tree) if isinstance(n, ast.Subscript)]
    if found and rng.random() < 0.6:
        n = rng.choice(found)
        n.slice = expression(rng.choice(["0", "1", "2", "5", "-1", '"a"', "zz"]))
        return True
    n = draw(rng, names(tree))
    if n is None:
        return False
    new = ast.Subscript(ast.Name(n.id, ast.Load()), ast.Constant(rng.choice([0, 0, 1, 3])), ast.Load())
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is n:
                setattr(parent, field, new)
                return True
            if isinstance(value, list):
                for k, v in enumerate(value):
                    if v is n:
                        value[k] = new
                        return True
    return False


@mutation
def if_(tree, rng):
    """A binding is put under an `if` with another one in the other branch; the branches of one that is there change."""
    there = statements(tree, (ast.If,))
    if there and rng.random() < 0.6:
        s = rng.choice(there)[2]
        how = rng.random()
        if how < 0.3:
            s.orelse = []
        elif how < 0.6 and s.orelse:
            s.body, s.orelse = s.orelse, s.body
        elif how < 0.8:
            known = bound(tree)
            s.test = ast.Name(rng.choice(known), ast.Load()) if known else s.test
        elif s.orelse:
            s.orelse = copy.deepcopy(s.body)
        return True
    place = draw(rng, [p for p in statements(tree, (ast.Assign, ast.AnnAssign)) if not isinstance(p[2], ast.Assign) or isinstance(p[2].targets[0], ast.Name)])
    known = bound(tree)
    if not place or not known:
        return False
    body, k, s = place
    other = copy.deepcopy(s)
    how = rng.random()
    if how < 0.5:
        other.value = ast.Name(rng.choice(known), ast.Load())
    elif how < 0.8:
        other.value = expression(rng.choice(["R.const(1)", "R.shape([2, 3])", "(R.const(1), R.const(2.0))", "R.prim_value(3)"]))
    body[k] = ast.If(expression(rng.choice(['R.const(True, "bool")', "R.const(1)", rng.choice(known)])), [s], [other])
    return True


# ---------------------------------------------------------------- functions

@mutation
def pure(tree, rng):
    f = draw(rng, functions(tree))
    k = next(k for k, d in enumerate(decorated(f)) if d == "R.function") if f else 0
    if f is None:
        return False
    d = f.decorator_list[k]
    words = d.keywords if isinstance(d, ast.Call) else []
    if any(w.arg == "pure" for w in words):
        words = [w for w in words if w.arg != "pure"]
    else:
        words = words + [ast.keyword("pure", ast.Constant(False))]
    f.decorator_list[k] = ast.Call(expression("R.function"), [], words) if words else expression("R.function")
    return True


@mutation
def private(tree, rng):
    f = draw(rng, functions(tree))
    if f is None:
        return False
    k = next(k for k, d in enumerate(decorated(f)) if d == "R.function")
    d = f.decorator_list[k]
    words = [w for w in (d.keywords if isinstance(d, ast.Call) else []) if w.arg != "private"] + [ast.keyword("private", ast.Constant(True))]
    f.decorator_list[k] = ast.Call(expression("R.function"), [], words)
    return True


@mutation
def parameter(tree, rng):
    f = draw(rng, functions(tree))
    if f is None:
        return False
    a = f.args.args
    how = rng.random()
    if a and how < 0.4:
        del a[rng.randrange(len(a))]
    elif a and how < 0.6:
        rng.choice(a).annotation = None
    elif a and how < 0.8:
        a.insert(rng.randrange(len(a) + 1), copy.deepcopy(rng.choice(a)))
    else:
        a.append(ast.arg("extra_p", expression(rng.choice(ANNOTATIONS))))
    return True


@mutation
def function(tree, rng):
    """A function of the module less, doubled, or renamed."""
    if not isinstance(tree.body[0] if isinstance(tree, ast.Module) else tree, ast.ClassDef):
        return False
    body = (tree.body[0] if isinstance(tree, ast.Module) else tree).body
    place = draw(rng, [k for k, s in enumerate(body) if isinstance(s, ast.FunctionDef)])
    if place is None:
        return False
    how = rng.random()
    if how < 0.4 and len(body) > 1:
        del body[place]
    elif how < 0.6:
        body.append(copy.deepcopy(body[place]))
    elif how < 0.8:
        body[place].name += "_q"
    else:
        body[:] = body[::-1]
    return True


@mutation
def inner(tree, rng):
    """A local function of the first parameter's StructInfo and a call of it (now and then itself)."""
    f = draw(rng, [f for f in functions(tree) if f.args.args and f.args.args[0].annotation is not None])
    if f is None:
        return False
    p = f.args.args[0]
    value = expression(rng.choice([f"R.add({p.arg}_i, {p.arg}_i)", f"{p.arg}_i", f"inner_f({p.arg}_i)", f"R.add({p.arg}_i, {p.arg})", f"R.print({p.arg}_i)"]))
    g = ast.FunctionDef("inner_f", ast.arguments([], [ast.arg(p.arg + "_i", copy.deepcopy(p.annotation))], None, [], [], None, []),
                        [ast.Assign([ast.Name("inner_r", ast.Store())], value), ast.Return(ast.Name("inner_r", ast.Load()))],
                        [expression(rng.choice(["R.function", "R.function", "R.function(pure=False)"]))], copy.deepcopy(p.annotation) if rng.random() < 0.6 else None)
    at = next((k for k, s in enumerate(f.body) if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and dotted(s.value.func) == "R.func_attr")
               and not (isinstance(s, ast.Assign) and isinstance(s.value, ast.Call) and dotted(s.value.func).startswith("T."))), 0)
    f.body[at:at] = [g, ast.Assign([ast.Name("inner_v", ast.Store())], expression(f"inner_f({p.arg})"))]
    return True


@mutation
def recursion(tree, rng):
    """A function calls itself."""
    body = (tree.body[0] if isinstance(tree, ast.Module) else tree)
    if not isinstance(body, ast.ClassDef):
        return False
    f = draw(rng, [f for f in body.body if f in functions(tree)])
    place = draw(rng, [s for b, _, s in statements(tree, (ast.Assign,)) if f is not None and b is f.body])
    if place is None:
        return False
    place.value = ast.Call(ast.Attribute(ast.Name(body.name if rng.random() < 0.2 else "cls", ast.Load()), f.name, ast.Load()), [ast.Name(a.arg, ast.Load()) for a in f.args.args], [])
    if not any(isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and s.targets[0].id == "cls" for s in f.body):
        f.body.insert(0, ast.Assign([ast.Name("cls", ast.Store())], ast.Name(body.name, ast.Load())))
    return True


# ---------------------------------------------------------------- names, quotes, namespaces

@mutation
def quoted(tree, rng):
    """A dimension gets quotes, or loses them."""
    place = draw(rng, [(s, k) for s in shapes_of(tree) for k, e in enumerate(s.elts) if not (isinstance(e, ast.Constant) and isinstance(e.value, int))])
    if not place:
        return False
    s, k = place
    e = s.elts[k]
    s.elts[k] = expression(e.value) if isinstance(e, ast.Constant) and isinstance(e.value, str) else ast.Constant(ast.unparse(e))
    return True


@mutation
def dim_name(tree, rng):
    """A dimension takes the name of another one, of a parameter or of a variable."""
    place = draw(rng, [(s, k) for s in shapes_of(tree) for k in range(len(s.elts))])
    dims = sorted({n for s in shapes_of(tree) for e in s.elts for n in [e.value if isinstance(e, ast.Constant) else getattr(e, "id", None)] if isinstance(n, str)})
    known = dims * 3 + bound(tree)
    if not place or not known:
        return False
    name = rng.choice(known)
    place[0].elts[place[1]] = ast.Constant(name) if rng.random() < 0.6 or not name.isidentifier() else ast.Name(name, ast.Load())
    return True


@mutation
def keyword_name(tree, rng):
    """A keyword of a call is misspelt, or becomes one of another call."""
    found = [k for c in operators(tree) + calls(tree, "R.Tensor", "R.Shape") for k in c.keywords if k.arg]
    k = draw(rng, found)
    if k is None:
        return False
    k.arg = rng.choice([k.arg + "s", k.arg[:-1] or "x", rng.choice(found).arg])
    return True


@mutation
def wrapped(tree, rng):
    """An argument stands in a tuple, a list, a call or without its tuple."""
    c = draw(rng, [c for c in operators(tree) if c.args])
    if c is None:
        return False
    k = rng.randrange(len(c.args))
    a = c.args[k]
    if isinstance(a, (ast.Tuple, ast.List)) and a.elts and rng.random() < 0.7:
        c.args[k] = a.elts[0]
    else:
        c.args[k] = rng.choice([ast.Tuple([a], ast.Load()), ast.List([a], ast.Load()), ast.Call(expression(rng.choice(["R.abs", "R.tuple", "R.shape_of", "R.const", "R.prim_value"])), [a], [])])
    return True


@mutation
def decorator(tree, rng):
    """A decorator goes, stands twice, or is another one."""
    f = draw(rng, [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.decorator_list])
    if f is None:
        return False
    new = expression(rng.choice(["R.function", "T.prim_func", "I.ir_module", "staticmethod", "R.macro", "R.function(pure=False)", "R.function(private=True)",
                                 "T.prim_func(s_tir=True)", "R.Tensor", "R", "tvm.script.ir_module", "T.macro", "I.pyfunc"]))
    how = rng.random()
    if how < 0.3:
        del f.decorator_list[0]
    elif how < 0.5:
        f.decorator_list.insert(rng.randrange(2), new)
    else:
        f.decorator_list[0] = new
    return True


@mutation
def attribute(tree, rng):
    """An attribute of a function gets a value of another type, another key, or goes."""
    dicts = [c.args[0] for c in calls(tree, "R.func_attr") if c.args and isinstance(c.args[0], ast.Dict) and c.args[0].keys]
    if not dicts or rng.random() < 0.2:
        place = draw(rng, [(b, k) for b, k, s in statements(tree, (ast.Expr,)) if isinstance(s.value, ast.Call) and dotted(s.value.func) == "R.func_attr"])
        if not place:
            return False
        body, k = place
        body[k:k + 1] = [] if len(body) > 1 else [ast.Pass()]
        return True
    d = rng.choice(dicts)
    k = rng.randrange(len(d.keys))
    if rng.random() < 0.7:
        d.values[k] = expression(rng.choice(["1", '"x"', "None", "True", "0.5", "[1, 2]", "{}", "R.Tensor", "(1,)", "R.const(1)"]))
    else:
        d.keys[k] = expression(rng.choice(['"global_symbol"', '"relax.force_pure"', '"num_input"', "1", "None", '"Primitive"', '""']))
    return True


@mutation
def namespace(tree, rng):
    """R becomes T or I in one place."""
    n = draw(rng, [n for n in inside(tree) if isinstance(n, ast.Name) and n.id in "RTI"])
    if n is not None:
        n.id = rng.choice([r for r in "RTI" if r != n.id])
    return n is not None
