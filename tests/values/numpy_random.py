"""Random expressions of numpy over small arrays, for test_numpy.py."""

import random

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float32", "float64"]
LISTS = ["[1, -2, 3]", "[[0.1, -7.5], [1e10, 3]]", "[True, False]", "[200, 100, 255]", "[2.5, -0.5, 0.3]", "7", "[[1, 2, 3], [4, 5, 6]]", "[70000, -70000, 5]"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", "&", "|", "^"]
OF_TWO = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "floor_divide", "mod", "logical_and", "logical_or", "logical_xor", "equal", "power"]
OF_ONE = ["abs", "negative", "positive", "square", "sign", "floor", "ceil", "trunc", "rint", "sqrt", "logical_not", "round"]
INDICES = ["0", "-1", ":", ":, 0", "::-1", "None", "...", "..., 0", "1:", "::2", "0, 1", "-1:0:-1", "..., None"]
TOTALS = ["sum", "prod", "max", "min", "any", "all", "mean"]


def leaf(r):
    shape, dtype = r.choice(["(2, 3)", "(3,)", "(2, 1)", "()", "(4,)", "(2, 2, 2)"]), r.choice(DTYPES)
    return r.choice([
        f'np.arange({r.randint(1, 6)}, dtype="{r.choice(DTYPES[1:])}")', f'np.array({r.choice(LISTS)}).astype("{dtype}")',
        f'np.full({shape}, {r.choice(["3", "-1", "2.5", "True"])}, "{dtype}")', f'np.{r.choice(["ones", "zeros"])}({shape}, "{dtype}")',
        f'np.eye({r.randint(1, 3)}, dtype="{dtype}")', f'np.linspace({r.choice(["0", "-1", "2.5"])}, {r.choice(["1", "10", "-3.3"])}, {r.randint(1, 7)})',
        r.choice(["2", "0.1", "-3", "True", "np.float32(1.5)", "np.int8(5)"])])


def joined(r, depth):
    a, b = expression(r, depth), expression(r, depth)
    return r.choice([f"np.concatenate([{a}, {b}])", f"np.concatenate(({a}, {b}), axis=-1)", f"np.stack([{a}, {b}], axis={r.choice([0, 1, -1])})",
                     f"np.vstack([{a}, {b}])", f"np.hstack([{a}, {b}])", f"np.dstack([{a}, {b}])"])


def rearranged(r, depth):
    a = expression(r, depth)
    return r.choice([
        f"np.asarray({a})[{r.choice(INDICES)}]", f"np.asarray({a}).T", f"np.asarray({a}).reshape(-1)", f'np.asarray({a}).astype("{r.choice(DTYPES)}")',
        f"np.broadcast_to({a}, (2, 2, 3))", f'np.{r.choice(["tril", "triu"])}({a}, {r.randint(-1, 1)})', f'np.split({a}, {r.choice(["2", "[1]", "3"])})[{r.choice(["0", "1"])}]',
        f'np.{r.choice(TOTALS)}({a}{r.choice(["", ", axis=0", ", axis=-1, keepdims=True"])})'])


def expression(r, depth):
    if depth == 0:
        return leaf(r)
    a, b = expression(r, depth - 1), expression(r, depth - 1)
    return r.choice([
        lambda: f"({a} {r.choice(OPERATORS)} {b})", lambda: f"({a} {r.choice(OPERATORS)} {b})", lambda: f"np.{r.choice(OF_TWO)}({a}, {b})",
        lambda: f"np.{r.choice(OF_ONE)}({a})", lambda: joined(r, depth - 1), lambda: rearranged(r, depth - 1), lambda: rearranged(r, depth - 1)])()


def expressions(seed):
    r = random.Random(seed)
    while True:
        yield expression(r, r.randint(1, 3))
