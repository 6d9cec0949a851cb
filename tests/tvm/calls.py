"""Random calls of operators for attributes.py: a row of CASES draws one; its operands are in `Draw.inputs`.

Axes from both ends, keepdims, layouts, strides, padding, dilation, groups, modes, dtypes; dimensions are 0, 1 or small. A row may give a reference:
what numpy says of the operands. It decides where TVM does not run a call, and where TVM's own answer is known to be another.
"""
from fractions import Fraction
import math

import numpy as np

FLOATS = ("float16", "float32", "float64")
INTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
NUMBERS = FLOATS + INTS
ANY = NUMBERS + ("bool",)
LETTERS = "DHW"


class Draw:
    """What the rows draw from; remembers the operands, and the reference if there is one."""

    def __init__(self, rng):
        self.rng, self.inputs, self.reference = rng, {}, None

    def dim(self, least=0):
        return max(least, self.rng.choice([0, 1, 1, 2, 3, 4, 5, 7]))

    def shape(self, low=1, high=4, least=0):
        return [self.dim(least) for _ in range(self.rng.randint(low, high))]

    def operand(self, a):
        name = f"x{len(self.inputs)}"
        self.inputs[name] = a
        return name

    def tensor(self, shape, dtype=None, low=-3, high=3):
        """Eighths, or integers (of unsigned dtypes from 0), in [low, high)."""
        dtype = dtype or self.rng.choice(["float32", "float32", "float64", "int32", "int64"])
        data = np.random.default_rng(self.rng.getrandbits(32))
        if dtype.startswith("float"):
            a = np.round(data.uniform(low, high, shape) * 8) / 8
        elif dtype == "bool":
            a = data.integers(0, 2, shape)
        else:
            a = data.integers(max(low, 0) if dtype[0] == "u" else low, max(high, low + 1), shape)
        return self.operand(np.asarray(a).astype(dtype))

    def distinct(self, shape, dtype):
        """A permutation, so that no order of equal elements is asked."""
        count = int(np.prod(shape))
        return self.operand(np.random.default_rng(self.rng.getrandbits(32)).permutation(count).astype(dtype).reshape(shape))

    def axis(self, rank):
        return self.rng.randrange(-rank, rank)

    def axes(self, rank, count=None):
        some = self.rng.sample(range(rank), count or self.rng.randint(1, rank))
        return [a - rank * self.rng.randrange(2) for a in some]

    def flag(self):
        return self.rng.random() < 0.5

    def pick(self, *of):
        return self.rng.choice(of)

    def ints(self, count, low, high):
        return [self.rng.randint(low, high) for _ in range(count)]

    def of(self, *arrays):
        """The operands of these names."""
        return [self.inputs[a] for a in arrays]


# Elementwise.

UNARY = ["abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_not", "ceil", "cos", "cosh", "erf", "exp", "floor", "log", "logical_not",
         "negative", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "isfinite", "isinf", "isnan",
         "nn.relu", "nn.silu", "nn.gelu", "nn.gelu_tanh", "nn.relu6", "nn.selu", "nn.softplus", "nn.leakyrelu"]
WITHIN = {"acos": (-1, 1.1), "asin": (-1, 1.1), "atanh": (-0.9, 0.95), "acosh": (1, 6), "log": (0.2, 9), "rsqrt": (0.2, 9), "sqrt": (0, 9)}
BITS = ["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"]
LOGIC = ["logical_and", "logical_or", "logical_xor"]
COMPARE = ["less", "less_equal", "greater", "greater_equal", "equal", "not_equal"]
ARITHMETIC = ["add", "subtract", "multiply", "maximum", "minimum"]
DIVISION = ["divide", "floor_divide", "mod", "floor_mod"]
SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e30, -1e30, 1e-30, 88.0, -104.0, 1.0]


def erf(x):
    return np.vectorize(math.erf, otypes=["float64"])(x)


def exactly(f):
    """A function of float64 for operands of any float dtype."""
    return lambda *a: f(*(x.astype("float64") if x.dtype.kind == "f" else x for x in a)).astype(a[0].dtype)


FORMULAS = {"acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan, "atanh": np.arctanh, "bitwise_not": np.invert,
            "erf": erf, "rsqrt": lambda x: 1 / np.sqrt(x), "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "nn.relu": lambda x: np.maximum(x, 0),
            "nn.relu6": lambda x: np.clip(x, 0, 6), "nn.silu": lambda x: x / (1 + np.exp(-x)), "nn.gelu": lambda x: x * (1 + erf(x / 2 ** 0.5)) / 2,
            **{n: getattr(np, n) for n in ("ceil", "cos", "cosh", "exp", "floor", "log", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "abs", "negative",
                                           "sign")}, "round": np.round}
PAIRS = {"left_shift": np.left_shift, "right_shift": np.right_shift, "atan2": np.arctan2, "log_add_exp": np.logaddexp,
         **{n: getattr(np, n) for n in ("add", "subtract", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor", "power")}}
COMPARISONS = {n: getattr(np, n) for n in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "logical_and", "logical_or", "logical_xor")}


def formula_of(name):
    return exactly({**FORMULAS, **PAIRS}[name]) if name in FORMULAS or name in PAIRS else COMPARISONS.get(name)


def unary(d):
    name = d.pick(*UNARY)
    low, high = WITHIN.get(name, (-3, 3))
    dtypes = INTS + ("bool",) if name == "bitwise_not" else ("bool",) if name == "logical_not" else FLOATS
    if name in ("abs", "negative", "sign", "square", "ceil", "floor", "round", "trunc", "nn.relu", "isnan", "isinf", "isfinite"):
        dtypes = NUMBERS
    d.reference = formula_of(name)
    return f"R.{name}({d.tensor(d.shape(0, 3), d.pick(*dtypes), low, high)})"


def special(d):
    """NaN, infinities, zeros with a sign, huge and tiny numbers."""
    name = d.pick(*[u for u in UNARY if u not in ("bitwise_not", "logical_not")])
    return f"R.{name}({d.operand(np.array(d.rng.sample(SPECIAL, 6), d.pick('float32', 'float64')))})"


def special_pair(d):
    t = d.pick("float32", "float64")
    x, y = (d.operand(np.array(d.rng.choices(SPECIAL, k=8), t)) for _ in range(2))
    name = d.pick("add", "subtract", "multiply", "divide", "log_add_exp", "atan2", "floor_divide", "floor_mod", "mod", "power", "maximum", "minimum", *COMPARE)
    d.reference = PAIRS.get(name, COMPARISONS.get(name))
    return f"R.{name}({x}, {y})"


def with_numbers(d):
    s, t = d.shape(1, 3), d.pick(*FLOATS)
    if d.flag():
        return f"R.clip({d.tensor(s, d.pick(*NUMBERS))}, {d.pick(-1, -0.5, 0)}, {d.pick(1, 1.5, 2)})"
    x = d.tensor(s, t)
    return d.pick(f"R.nn.leakyrelu({x}, alpha={d.pick(0.1, 0.5, -1.0)})", f"R.nn.softplus({x}, beta={d.pick(0.5, 2.0)}, threshold={d.pick(1.0, 20.0)})")


def prelu(d):
    s = d.shape(1, 4)
    axis = d.axis(len(s))
    t = d.pick(*FLOATS)
    return f"R.nn.prelu({d.tensor(s, t)}, {d.tensor([s[axis]], t)}, axis={axis})"


def pair(d, t, low=-3, high=3, least=-3, rank=4):
    """Two operands that broadcast, in either order: dimensions of 1 in either, the one longer than the other."""
    s = d.shape(0, rank)
    a, b = ([1 if d.rng.random() < 0.25 else n for n in s] for _ in range(2))
    cut = d.rng.randint(0, len(s))
    a, b = (a, b[cut:]) if d.flag() else (a[cut:], b)
    return d.tensor(a, t, low, high), d.tensor(b, t, least, high)


def broadcasts(d):
    name = d.pick(*ARITHMETIC, *COMPARE, *BITS, *LOGIC, "atan2", "log_add_exp")
    if name in BITS:
        t = d.pick(*INTS, *(["bool"] if "bitwise" in name else []))
        x, y = pair(d, t, 0 if "shift" in name else -100, 7, 0 if "shift" in name else -100)
    else:
        t = "bool" if name in LOGIC else d.pick(*FLOATS) if name in ("atan2", "log_add_exp") else d.pick(*ANY)
        x, y = pair(d, t)
    d.reference = formula_of(name) if t != "bool" or name in COMPARISONS else None
    return f"R.{name}({x}, {y})"


def divides(d):
    t, name = d.pick(*NUMBERS), d.pick(*DIVISION)
    x, y = pair(d, t, -9, 9, 1)
    if d.flag() and t[0] != "u":
        d.inputs[y] = -d.inputs[y]
    return f"R.{name}({x}, {y})"


def powers(d):
    x, y = pair(d, d.pick(*FLOATS), 0.25, 4, -2)
    return f"R.power({x}, {y})"


def scalars(d):
    """A tensor and a constant of the same dtype."""
    t, name = d.pick(*NUMBERS), d.pick(*ARITHMETIC, *COMPARE, *DIVISION)
    two = [d.tensor(d.shape(0, 3), t, 1, 9), f"R.const({d.rng.randint(1, 5)}, \"{t}\")"]
    d.rng.shuffle(two)
    return f"R.{name}({two[0]}, {two[1]})"


def ternary(d):
    t = d.pick(*ANY)
    if d.rng.random() < 0.25:
        s = d.shape(0, 3)
        t = d.pick(*NUMBERS)
        return f"R.ewise_fma({d.tensor(s, t)}, {d.tensor(s, t)}, {d.tensor(s, t)})"
    x, y = pair(d, t)
    longest = max((d.inputs[v].shape for v in (x, y)), key=len)
    c = d.tensor([1 if d.flag() else n for n in np.broadcast_shapes(*(d.inputs[v].shape for v in (x, y)))][d.rng.randint(0, len(longest)):], "bool")
    return f"R.where({c}, {x}, {y})"


def casts(d):
    source, target = d.pick(*ANY), d.pick(*ANY)
    x = d.tensor(d.shape(0, 3), source, 0 if target[0] == "u" else -9, 9)
    return f"R.astype({x}, \"{target}\")"


# Reductions and scans.

def reduction(name, least=0, dtypes=NUMBERS):
    def draw(d):
        s = d.shape(1, 4, least)
        x = d.tensor(s, d.pick(*dtypes), -2, 3)
        axis = d.pick(None, d.axis(len(s)), d.axes(len(s)), d.axes(len(s)))
        keep = d.flag()
        which = None if axis is None else tuple(axis) if isinstance(axis, list) else axis
        if name in ("sum", "prod"):
            d.reference = lambda x: getattr(np, name)(x, which, keepdims=keep, dtype=x.dtype)
        return f"R.{name}({x}, axis={axis}, keepdims={keep})"
    return draw


def arg_reduction(name):
    def draw(d):
        s = d.shape(1, 4, 1)
        axis, keep = d.pick(None, d.axis(len(s))), d.flag()
        d.reference = lambda x: getattr(np, name)(x, axis, keepdims=keep).astype("int64")
        return f"R.{name}({d.tensor(s, d.pick(*NUMBERS))}, axis={axis}, keepdims={keep})"
    return draw


def median(d):
    s = d.shape(1, 4, 1)
    return f"R.median({d.tensor(s, d.pick(*FLOATS))}, axis={d.pick(None, d.axis(len(s)), [d.axis(len(s))])}, keepdims={d.flag()})"


def running(x, product, axis, dtype, exclusive):
    with np.errstate(all="ignore"):
        x = (x.reshape(-1) if axis is None else x).astype(dtype)
        out = (np.cumprod if product else np.cumsum)(x, axis or 0, dtype=dtype)
        if exclusive and x.size:
            out = np.roll(out, 1, axis or 0)
            out[tuple([slice(None)] * ((axis or 0) % x.ndim) + [0])] = 1 if product else 0
    return out


def scan(name):
    def draw(d):
        s = d.shape()
        t = d.pick(*NUMBERS, "bool")
        out = d.pick(None, None, "int64", "float64", "int32") if t != "bool" else d.pick("int32", "int64")
        axis, exclusive = d.pick(None, d.axis(len(s))), d.flag()
        d.reference = lambda x: running(x, name == "cumprod", axis, out or t, exclusive)
        dtype = f", dtype=\"{out}\"" if out else ""
        return f"R.{name}({d.tensor(s, t, -2, 3)}, axis={axis}{dtype}, exclusive={exclusive})"
    return draw


# Convolutions and pools.

def moved(x, layout, want):
    return x.transpose([layout.index(c) for c in want])


def padding_of(padding, rank):
    """Before and after each axis, of one number, one for each axis, or two."""
    p = list(padding) if len(padding) > 1 else list(padding) * rank
    return list(zip(p, p)) if len(p) == rank else list(zip(p[:rank], p[rank:]))


def convolved(x, w, strides, pads, dilation, groups):
    """x (N, C, …), w (O, C / groups, …)."""
    rank, t = len(strides), "float64" if x.dtype.kind == "f" else "int64"
    x, w = np.pad(x.astype(t), [(0, 0), (0, 0), *pads]), w.astype(t)
    sizes = [(n - (k - 1) * e - 1) // s + 1 for n, k, s, e in zip(x.shape[2:], w.shape[2:], strides, dilation)]
    out = np.zeros((x.shape[0], w.shape[0], *sizes), t)
    for at in np.ndindex(*sizes):
        part = x[(slice(None), slice(None), *(slice(i * s, i * s + (k - 1) * e + 1, e) for i, s, e, k in zip(at, strides, dilation, w.shape[2:])))]
        for g in range(groups):
            a, b = w.shape[1], w.shape[0] // groups
            out[(slice(None), slice(g * b, (g + 1) * b), *at)] = np.tensordot(part[:, g * a:(g + 1) * a], w[g * b:(g + 1) * b], (range(1, rank + 2), range(1, rank + 2)))
    return out


def spread(x, w, strides, pads, dilation, extra, groups):
    """A transposed convolution: each element of x (N, C, …) adds w (C, O / groups, …) times itself."""
    x, w = x.astype("float64"), w.astype("float64")
    whole = [(n - 1) * s + (k - 1) * e + 1 + o for n, k, s, e, o in zip(x.shape[2:], w.shape[2:], strides, dilation, extra)]
    out, a, b = np.zeros((x.shape[0], w.shape[1] * groups, *whole)), x.shape[1] // groups, w.shape[1]
    for at in np.ndindex(*x.shape[2:]):
        where = tuple(slice(i * s, i * s + (k - 1) * e + 1, e) for i, s, e, k in zip(at, strides, dilation, w.shape[2:]))
        for g in range(groups):
            value = np.tensordot(x[(slice(None), slice(g * a, (g + 1) * a), *at)], w[g * a:(g + 1) * a], (1, 0))
            out[(slice(None), slice(g * b, (g + 1) * b), *where)] += value
    return out[(slice(None), slice(None), *(slice(p, n - q) for (p, q), n in zip(pads, whole)))]


def conv(rank):
    def draw(d):
        groups, per, out = d.pick(1, 1, 2, 3), d.pick(1, 2, 3), d.pick(1, 2)
        kernel, size = d.ints(rank, 1, 3), d.ints(rank, 5, 8)
        letters = LETTERS[3 - rank:]
        channels_last = d.flag()
        x = [d.pick(0, 1, 2, 2)] + (size + [groups * per] if channels_last else [groups * per] + size)
        kernel_layout = d.pick("OI" + letters, letters + "IO", "O" + letters + "I", letters + "OI")
        sizes = dict(zip(letters, kernel), O=groups * out, I=per)
        w = [sizes[c] for c in kernel_layout]
        layout = "N" + letters + "C" if channels_last else "NC" + letters
        padding = d.pick([0] * rank, d.ints(rank, 0, 2), d.ints(2 * rank, 0, 2), [d.pick(0, 1)])
        t = d.pick("float32", "float32", "float16", "float64", "int8", "int32")
        out_t = d.pick(t, t, "int32" if t == "int8" else "float32" if t == "float16" else t)
        out_layout = d.pick(layout, layout, "NC" + letters if channels_last else "N" + letters + "C")
        strides, dilation, first = d.ints(rank, 1, 3), d.ints(rank, 1, 2), "NC" + letters
        d.reference = lambda x, w: moved(convolved(moved(x, layout, first), moved(w, kernel_layout, "OI" + letters), strides, padding_of(padding, rank), dilation, groups),
                                         first, out_layout).astype(out_t)
        return (f"R.nn.conv{rank}d({d.tensor(x, t)}, {d.tensor(w, t)}, strides={strides}, padding={padding}, "
                f"dilation={dilation}, groups={groups}, data_layout=\"{layout}\", kernel_layout=\"{kernel_layout}\""
                + (f", out_dtype=\"{out_t}\"" if out_t != t else "") + (f", out_layout=\"{out_layout}\"" if out_layout != layout else "") + ")")
    return draw


def conv_transpose(rank):
    def draw(d):
        groups, per, out = d.pick(1, 1, 2), d.pick(1, 2), d.pick(1, 2)
        letters = LETTERS[3 - rank:]
        strides = d.ints(rank, 1, 3)
        kernel, dilation = d.ints(rank, 1, 3), d.pick([1] * rank, d.ints(rank, 1, 2))
        channels_last = d.rng.random() < 0.2
        size = d.ints(rank, 3, 5)
        x = [d.pick(1, 2)] + (size + [groups * per] if channels_last else [groups * per] + size)
        kernel_layout = d.pick("IO" + letters, "IO" + letters, "IO" + letters, "OI" + letters, letters + "IO")
        sizes = dict(zip(letters, kernel), O=out, I=groups * per)
        extra = [d.rng.randrange(s) for s in strides]
        padding = d.pick(d.ints(rank, 0, 1), d.ints(2 * rank, 0, 1))
        t = d.pick("float32", "float32", "float64", "float16")
        layout, first = "N" + letters + "C" if channels_last else "NC" + letters, "NC" + letters
        d.reference = lambda x, w: moved(spread(moved(x, layout, first), moved(w, kernel_layout, "IO" + letters), strides, padding_of(padding, rank), dilation, extra,
                                                groups), first, layout).astype(x.dtype)
        return (f"R.nn.conv{rank}d_transpose({d.tensor(x, t)}, {d.tensor([sizes[c] for c in kernel_layout], t)}, strides={strides}, padding={padding}, "
                f"output_padding={extra}, dilation={dilation}, groups={groups}, data_layout=\"{layout}\", "
                f"kernel_layout=\"{kernel_layout}\")")
    return draw


def pool(name, rank):
    def draw(d):
        letters = LETTERS[3 - rank:]
        size = d.ints(rank, 4, 8)
        last = d.flag()
        x = [d.pick(0, 1, 2, 2)] + (size + [2] if last else [2] + size)
        window = d.ints(rank, 1, 3)
        layout = "N" + letters + "C" if last else "NC" + letters
        padding = d.pick([0] * rank, d.ints(rank, 0, 1), d.ints(2 * rank, 0, 2))
        t = d.pick("float32", "float32", "float16", "float64", "int32", "int8")
        out_layout = d.pick("", "", "", f", out_layout=\"{'NC' + letters if last else 'N' + letters + 'C'}\"")
        return (f"R.nn.{name}_pool{rank}d({d.tensor(x, t)}, pool_size={window}, strides={d.ints(rank, 1, 3)}, padding={padding}, "
                f"dilation={d.pick([1] * rank, d.ints(rank, 1, 2))}, ceil_mode={d.flag()}, count_include_pad={d.flag()}, layout=\"{layout}\"{out_layout})")
    return draw


def adaptive_mean(x, sizes, spatial):
    """The mean over each window, from floor(k n / m) to ceil((k + 1) n / m)."""
    for axis, m in zip(spatial, sizes):
        n = x.shape[axis]
        x = np.stack([x.take(range(k * n // m, -(-(k + 1) * n // m)), axis).mean(axis) for k in range(m)], axis)
    return x


def adaptive(rank):
    def draw(d):
        letters = LETTERS[3 - rank:]
        size = d.ints(rank, 1, 7)
        last = d.flag()
        x = [1] + (size + [2] if last else [2] + size)
        layout = "N" + letters + "C" if last else "NC" + letters
        out = d.pick(d.ints(rank, 1, 5), size)
        spatial = range(1, rank + 1) if last else range(2, rank + 2)
        d.reference = lambda x: adaptive_mean(x.astype("float64"), out, spatial).astype(x.dtype)
        return f"R.nn.adaptive_avg_pool{rank}d({d.tensor(x, d.pick('float32', 'float64'))}, output_size={out}, layout=\"{layout}\")"
    return draw


# Images.

def nearest_place(k, have, want, how, rounding):
    """Where nearest_neighbor reads for the k-th of `want` elements, exactly."""
    if how in ("half_pixel", "tf_half_pixel_for_nn"):
        place = (k + Fraction(1, 2)) * Fraction(have, want) - (Fraction(1, 2) if how == "half_pixel" else 0)
    elif how == "align_corners":
        place = k * Fraction(have - 1, want - 1) if want > 1 else Fraction(0)
    elif how == "asymmetric":
        place = k * Fraction(have, want)
    else:
        place = (k + Fraction(1, 2)) * Fraction(have, want) - Fraction(1, 2) if want > 1 else Fraction(0)
    rounding = rounding or ("round" if how == "align_corners" else "floor")
    half = Fraction(1, 2)
    at = {"floor": math.floor(place), "ceil": math.ceil(place), "round_prefer_floor": math.ceil(place - half), "round": round(place),
          "round_prefer_ceil": math.floor(place + half)}[rounding]
    return min(max(at, 0), have - 1)


def nearest(x, size, spatial, how, rounding):
    for axis, want in zip(spatial, size):
        x = x.take([nearest_place(k, x.shape[axis], want, how, rounding) for k in range(want)], axis)
    return x


def resize(rank):
    def draw(d):
        letters = LETTERS[3 - rank:]
        last = d.flag()
        x = [1] + (d.ints(rank, 2, 6) + [2] if last else [2] + d.ints(rank, 2, 6))
        size = tuple(d.ints(rank, 1, 8))
        method = d.pick("nearest_neighbor", "linear", "cubic")
        how = d.pick("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn")
        rounding = d.pick("round", "floor", "ceil", "round_prefer_floor", "round_prefer_ceil", "") if method == "nearest_neighbor" else ""
        spatial = range(1, rank + 1) if last else range(2, rank + 2)
        if method == "nearest_neighbor":
            d.reference = lambda x: nearest(x, size, spatial, how, rounding)
        layout = "N" + letters + "C" if last else "NC" + letters
        return (f"R.image.resize{rank}d({d.tensor(x, d.pick('float32', 'float32', 'float64'))}, size={size}, layout=\"{layout}\", method=\"{method}\", "
                f"coordinate_transformation_mode=\"{how}\", rounding_method=\"{rounding}\", cubic_alpha={d.pick(-0.5, -0.75)}, "
                f"cubic_exclude={d.pick(0, 1) if rank == 2 else 0})")
    return draw


def resize_region(d):
    x = [1, 2] + d.ints(2, 2, 6)
    low, high = (0.0, -0.1, 0.25), (1.0, 0.75, 1.2)
    roi = [0.0, 0.0, d.pick(*low), d.pick(*low), 1.0, 1.0, d.pick(*high), d.pick(*high)] if d.flag() else [d.pick(*low), d.pick(*low), d.pick(*high), d.pick(*high)]
    return (f"R.image.resize2d({d.tensor(x, 'float32')}, size={tuple(d.ints(2, 2, 8))}, roi={roi}, method=\"{d.pick('nearest_neighbor', 'linear', 'cubic')}\", "
            f"coordinate_transformation_mode=\"tf_crop_and_resize\", rounding_method=\"round\", extrapolation_value={d.pick(0.0, 2.5)})")


def affine_grid(d):
    return f"R.image.affine_grid({d.tensor([d.pick(1, 2), 2, 3], 'float32')}, size={tuple(d.ints(2, 2, 5))})"


def grid_sample(d):
    """A grid in the layout (N, 2, H, W), which TVM's kernel reads, has another meaning than rlx's: not compared here but in tests/values."""
    n, h, w = d.pick(1, 2), d.rng.randint(2, 4), d.rng.randint(2, 4)
    return (f"R.image.grid_sample({d.tensor([n, 2, *d.ints(2, 2, 5)], 'float32')}, {d.tensor([n, h, w, 2], 'float32', -1.5, 1.5)}, "
            f"method=\"{d.pick('bilinear', 'nearest', 'bicubic')}\", padding_mode=\"{d.pick('zeros', 'border', 'reflection')}\", align_corners={d.flag()})")


# Places: slices, takes, gathers, scatters.

def strided_slice(d):
    s = d.shape(1, 4, 1)
    axes = d.rng.sample(range(len(s)), d.rng.randint(1, len(s)))
    begin, end, strides = [], [], []
    for a in axes:
        step = d.pick(1, 1, 2, 3, -1, -2, -3)
        low, high = sorted((d.rng.randint(-s[a] - 2, s[a] + 2), d.rng.randint(-s[a] - 2, s[a] + 2)))
        if d.rng.random() < 0.1:
            low, high = high, low
        begin.append(low if step > 0 else high)
        end.append(high if step > 0 else low)
        strides.append(step)
    where = [slice(None)] * len(s)
    for a, b, e, t in zip(axes, begin, end, strides):
        where[a] = slice(b, e, t)
    where = tuple(where)
    d.reference = lambda x: x[where]
    axes = [a - len(s) * d.rng.randrange(2) for a in axes]
    return f"R.strided_slice({d.tensor(s, d.pick(*ANY))}, {axes}, {begin}, {end}, {strides})"


def inbound_slice(d):
    s = d.shape(1, 3, 1)
    axes = d.rng.sample(range(len(s)), d.rng.randint(1, len(s)))
    begin = [d.rng.randrange(s[a]) for a in axes]
    end = [d.rng.randint(b + 1, s[a]) for a, b in zip(axes, begin)]
    strides = d.pick("", f", {d.ints(len(axes), 1, 2)}")
    return f"R.strided_slice({d.tensor(s)}, {axes}, {begin}, {end}{strides}, assume_inbound=True)"


def dynamic_slice(d):
    s = d.shape(1, 3, 1)
    begin, end, strides = [], [], []
    for n in s:
        step = d.pick(1, 1, 2, -1, -2)
        a, b = d.rng.randrange(n), d.rng.randrange(n)
        low, high = min(a, b), max(a, b)
        begin.append(low if step > 0 else high)
        end.append(high + 1 if step > 0 else low)
        strides.append(step)
    where = tuple(slice(*t) for t in zip(begin, end, strides))
    d.reference = lambda x, *_: x[where]
    return f"R.dynamic_strided_slice({d.tensor(s)}, {', '.join(d.operand(np.array(v, 'int64')) for v in (begin, end, strides))})"


def take(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    n, mode, t = s[axis], d.pick("fast", "clip", "wrap", "nan"), d.pick("float32", "float64", "float16", "int8", "int64", "bool")
    t = "float32" if mode == "nan" else t
    low, high = (0, n) if mode == "fast" else (-2 * n - 1, 2 * n + 1)
    flat = ", axis=None" if len(s) == 1 and d.flag() else f", axis={axis}"
    return f"R.take({d.tensor(s, t)}, {d.tensor(d.shape(0, 2), d.pick('int32', 'int64', 'uint8' if low == 0 else 'int16'), low, high)}{flat}, mode=\"{mode}\")"


def gather_elements(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    i = list(s)
    i[axis] = d.dim(0)
    i = [n if a == axis % len(s) else d.rng.randint(1, n) if d.flag() else n for a, n in enumerate(i)]
    d.reference = lambda x, i: np.take_along_axis(x[tuple(slice(n) if a != axis % len(s) else slice(None) for a, n in enumerate(i.shape))], i.astype("int64"), axis)
    return f"R.gather_elements({d.tensor(s)}, {d.tensor(i, d.pick('int64', 'int32'), 0, s[axis])}, axis={axis})"


def gather_nd(d):
    s = d.shape(1, 4, 1)
    batch = d.rng.randint(0, min(2, len(s) - 1))
    depth = d.rng.randint(1, len(s) - batch)
    rows = s[:batch] + d.ints(d.rng.randint(0, 2) if not batch else d.rng.randint(0, 1), 0, 3) + [depth]
    i = np.stack([np.random.default_rng(d.rng.getrandbits(32)).integers(0, s[batch + k], rows[:-1]) for k in range(depth)], -1)

    def reference(x, i):
        out = np.zeros(tuple(i.shape[:-1]) + x.shape[batch + depth:], x.dtype)
        for p in np.ndindex(*i.shape[:-1]):
            out[p] = x[p[:batch] + tuple(i[p])]
        return out
    d.reference = reference
    return f"R.gather_nd({d.tensor(s)}, {d.operand(i.astype('int64'))}, batch_dims={batch})"


def index_tensor(d):
    s = d.shape(1, 4, 1)
    count = d.rng.randint(1, len(s))
    t = d.shape(0, 2)
    ind = [d.tensor([1 if d.rng.random() < 0.2 else n for n in t][d.rng.randint(0, len(t)) if k else 0:], "int64", -s[k] if d.flag() else 0, s[k]) for k in range(count)]
    x = d.tensor(s)
    d.reference = lambda *a: a[-1][tuple(a[:-1])]
    return f"R.index_tensor({x}, ({', '.join(ind)},))"


def index_put(d):
    s = d.shape(1, 3, 1)
    count = len(s)
    n = d.dim(1)
    accumulate = d.flag()
    places = np.random.default_rng(d.rng.getrandbits(32))
    spots = int(np.prod(s[:count]))
    n = n if accumulate else min(n, spots)
    flat = places.integers(0, spots, n) if accumulate else places.permutation(spots)[:n]
    t = d.pick("float32", "int32", "float64", "int64")
    x, ind = d.tensor(s, t), [d.operand(p.astype("int64")) for p in np.unravel_index(flat, s[:count])]
    v = d.tensor([n, *s[count:]], t)

    def reference(x, *rest):
        out = x.copy()
        if accumulate:
            np.add.at(out, tuple(rest[:-1]), rest[-1])
        else:
            out[tuple(rest[:-1])] = rest[-1]
        return out
    d.reference = reference
    return f"R.index_put({x}, ({', '.join(ind)},), {v}, accumulate={accumulate})"


def scatter_elements(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    way = d.pick("update", "add", "mul", "min", "max", "mean")
    i, t = list(s), d.pick("float32", "float64", *([] if way == "mean" else ["int32", "int64"]))
    i[axis] = min(d.dim(1), s[axis])
    if way == "update":  # the order of updates of one place is nobody's: each place once
        rows = np.random.default_rng(d.rng.getrandbits(32)).random(s).argsort(axis)
        places = d.operand(rows.take(range(i[axis]), axis).astype("int64"))
    else:
        places = d.tensor(i, d.pick("int64", "int32"), -s[axis] if d.flag() else 0, s[axis])
    return f"R.scatter_elements({d.tensor(s, t)}, {places}, {d.tensor(i, t)}, axis={axis}, reduction=\"{way}\")"


def scatter_nd(d):
    s = d.shape(1, 3, 1)
    depth = d.rng.randint(1, len(s))
    way = d.pick("update", "add", "mul", "min", "max")
    n, spots = d.rng.randint(1, 4), int(np.prod(s[:depth]))
    places = np.random.default_rng(d.rng.getrandbits(32))
    n = min(n, spots) if way == "update" else n
    flat = places.permutation(spots)[:n] if way == "update" else places.integers(0, spots, n)
    i = np.stack(np.unravel_index(flat, s[:depth]), -1).astype("int64")
    t = d.pick("float32", "int32", "float64")
    return f"R.scatter_nd({d.tensor(s, t)}, {d.operand(i)}, {d.tensor([n, *s[depth:]], t)}, reduction=\"{way}\")"


def slice_scatter(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    begin = d.rng.randrange(s[axis])
    end, step = d.rng.randint(begin + 1, s[axis]), d.pick(1, 1, 2, 3)
    part = list(s)
    part[axis] = -(-(end - begin) // step)
    t = d.pick("float32", "int64", "int8", "float16")
    return f"R.slice_scatter({d.tensor(s, t)}, {d.tensor(part, t)}, {begin}, {end}, {step}, axis={axis})"


def hot(d):
    s = d.shape(0, 3)
    depth = d.rng.randint(1, 4)
    t = d.pick("float32", "int32", "float64", "int64", "int8")
    return (f"R.one_hot({d.tensor(s, d.pick('int32', 'int64'), -1 if d.flag() else 0, depth + 1)}, R.prim_value(T.{t}(2)), R.prim_value(T.{t}(-1)), depth={depth}, "
            f"axis={d.axis(len(s) + 1)})")


# Shapes.

def permute(d):
    s = d.shape(1, 4)
    order = d.rng.sample(range(len(s)), len(s))
    return f"R.permute_dims({d.tensor(s, d.pick(*ANY))}, axes={d.pick(None, [a - len(s) * d.rng.randrange(2) for a in order])})"


def reshape(d):
    s = d.shape(0, 4, 1)
    count, to = int(np.prod(s)), []
    while count > 1 and d.rng.random() < 0.8:
        part = d.pick(*[k for k in range(1, count + 1) if count % k == 0])
        to.append(part)
        count //= part
    to.append(count)
    if d.flag():
        to[d.rng.randrange(len(to))] = -1
    return f"R.reshape({d.tensor(s)}, {to})"


def flatten(d):
    return f"R.{d.pick('flatten', 'nn.batch_flatten')}({d.tensor(d.shape(2, 4))})"


def squeeze(d):
    s = d.shape(1, 4)
    ones = [a for a, n in enumerate(s) if n == 1]
    some = d.rng.sample(ones, d.rng.randint(0, len(ones)))
    axis = [a - len(s) * d.rng.randrange(2) for a in some] if some and d.flag() else None
    return f"R.squeeze({d.tensor(s)}, axis={axis})"


def expand(d):
    s = d.shape(0, 3)
    count = d.rng.randint(1, 2)
    rank = len(s) + count
    return f"R.expand_dims({d.tensor(s)}, axis={[a - rank * d.rng.randrange(2) for a in d.rng.sample(range(rank), count)]})"


def stretch(d):
    s = d.shape(0, 4)
    x = [1 if d.rng.random() < 0.4 else n for n in s][d.rng.randint(0, len(s)):]
    return f"R.broadcast_to({d.tensor(x)}, {tuple(s)})" if s else ""


def collapse(d):
    s = d.shape(1, 4, 1)
    to = [1 if d.rng.random() < 0.4 else n for n in s][d.rng.randint(0, len(s)):]
    x = d.tensor(s, d.pick("float32", "float64", "int32"))
    return f"R.collapse_sum_to({x}, {tuple(to)})" if to and d.flag() else f"R.collapse_sum_like({x}, {d.tensor(to, str(d.inputs[x].dtype))})"


def layout(d):
    s = [d.rng.randint(1, 6), d.rng.randint(1, 6)]
    f = d.pick(2, 3, 4)
    which = d.pick("lambda i, j: (j, i)", f"lambda i, j: (i // {f}, j, i % {f})", f"lambda i, j: (j // {f}, i, j % {f})")
    n = s[0] if "i //" in which else s[1] if "j //" in which else f
    pad = f", pad_value={d.pick(1, 7)}" if n % f else ""
    return f"R.layout_transform({d.tensor(s, d.pick('float32', 'int32', 'int8'))}, index_map={which}{pad})"


def tiles(d):
    return f"R.tile({d.tensor(d.shape(0, 3))}, repeats={d.pick(tuple(d.ints(d.rng.randint(1, 4), 1, 3)), d.rng.randint(1, 3))})"


def repeats(d):
    s = d.shape(1, 3)
    return f"R.repeat({d.tensor(s, d.pick(*ANY))}, repeats={d.pick(1, 2, 3)}, axis={d.pick(None, d.axis(len(s)))})"


def flips(d):
    s = d.shape(1, 4)
    return f"R.flip({d.tensor(s, d.pick(*ANY))}, axis={d.axis(len(s))})"


def concat(d):
    s = d.shape(1, 3)
    axis, t = d.pick(0, d.axis(len(s))), d.pick(*ANY)
    parts = []
    for _ in range(d.rng.randint(1, 3)):
        one = list(s)
        one[axis] = d.dim()
        parts.append(d.tensor(one, t))
    if len(s) == 1 and d.flag():
        return f"R.concat(({', '.join(parts)},), axis=None)"
    return f"R.concat(({', '.join(parts)},), axis={axis})"


def stack(d):
    s, t = d.shape(0, 3), d.pick(*ANY)
    return f"R.stack(({', '.join(d.tensor(s, t) for _ in range(d.rng.randint(1, 3)))},), axis={d.axis(len(s) + 1)})"


def split(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    how = d.pick(d.rng.randint(1, s[axis]), sorted(d.ints(d.rng.randint(1, 3), 0, s[axis] + 1)))
    return f"R.split({d.tensor(s)}, {how}, axis={axis})"


def meshgrid(d):
    t = d.pick("float32", "int64")
    return f"R.meshgrid(({', '.join(d.tensor([d.dim(1)], t) for _ in range(d.rng.randint(2, 3)))},), indexing=\"ij\")"


def trilu(d):
    s = d.shape(2, 4)
    return f"R.{d.pick('tril', 'triu')}({d.tensor(s, d.pick(*ANY))}, {d.rng.randint(-4, 4)})"


def create(d):
    t = d.pick(*NUMBERS)
    s = tuple(d.shape(1, 3))
    x = d.tensor(s, t)
    n, m = d.rng.randint(1, 5), d.rng.randint(1, 5)
    return d.pick(f"R.full_like({x}, R.const({d.rng.randint(0, 5)}, \"{d.pick('float32', t)}\"))", f"R.{d.pick('ones', 'zeros')}_like({x})",
                  f"R.{d.pick('ones', 'zeros')}_like({x}, dtype=\"{d.pick(*NUMBERS)}\")", f"R.full({s}, R.const({d.rng.randint(0, 5)}, \"{t}\"), dtype=\"{d.pick(*NUMBERS)}\")",
                  f"R.eye({n}, {m}, {d.rng.randint(-3, 3)}, dtype=\"{t}\")", f"R.{d.pick('ones', 'zeros')}({s}, dtype=\"{t}\")",
                  f"R.arange({d.rng.randint(-5, 3)}, {d.rng.randint(3, 9)}, {d.rng.randint(1, 3)}, dtype=\"{t if t[0] != 'u' else 'int32'}\")",
                  f"R.arange({d.rng.randint(3, 9)}, {d.rng.randint(-5, 3)}, {-d.rng.randint(1, 3)}, dtype=\"{t if t[0] != 'u' else 'int32'}\")",
                  f"R.hamming_window({d.rng.randint(2, 8)}, {d.flag()}, {d.pick(0.54, 0.6)}, {d.pick(0.46, 0.3)}, dtype=\"float32\")")


def eye_like(d):
    return f"R.eye_like({d.tensor(d.shape(2, 2), d.pick(*NUMBERS))}, {d.rng.randint(-3, 3)})"


# Linear algebra.

def matmul(d):
    a = d.shape(0, 2) + [d.dim(), d.dim()]
    b = ([1 if d.rng.random() < 0.3 else n for n in a[:-2]])[d.rng.randint(0, len(a) - 2):] + [a[-1], d.dim()]
    if d.rng.random() < 0.15:
        b = [a[-1]]
    elif d.rng.random() < 0.15:
        a = [b[-2]]
    t = d.pick("float32", "float64", "float16", "int32", "int8", "uint8")
    out = d.pick("void", t, "float32" if t == "float16" else "int32" if t in ("int8", "uint8") else t)
    d.reference = lambda x, y: np.matmul(x.astype("float64" if t[0] == "f" else "int64"), y.astype("float64" if t[0] == "f" else "int64")).astype(out if out != "void" else t)
    return f"R.matmul({d.tensor(a, t)}, {d.tensor(b, t)}, out_dtype=\"{out}\")"


def linear(d):
    t, n, k = d.pick("float32", "float64"), d.dim(1), d.dim(1)
    x = d.shape(0, 2) + [k]
    bias = d.pick("", f", {d.tensor([n], t)}") if d.flag() else ""
    return f"R.linear({d.tensor(x, t)}, {d.tensor([n, k], t)}{bias})"


def outer(d):
    t = d.pick("float32", "int64", "float16")
    return f"R.outer({d.tensor([d.dim()], t)}, {d.tensor([d.dim()], t)})"


def einsum(d):
    size = {c: d.dim(1) for c in "abcd"}
    terms = ["".join(d.rng.sample("abcd", d.rng.randint(1, 3))) for _ in range(d.rng.randint(1, 3))]
    used = sorted(set("".join(terms)))
    out = d.rng.sample(used, d.rng.randint(0, len(used)))
    t = d.pick("float32", "float64", "int32")
    ops = [d.tensor([size[c] for c in term], t, -2, 2) for term in terms]
    d.reference = lambda *a: np.einsum(",".join(terms) + "->" + "".join(out), *a)
    return f"R.einsum(({', '.join(ops)},), \"{','.join(terms)}->{''.join(out)}\")"


# Order.

def ordering(d):
    s = d.shape(1, 3, 1)
    x = d.distinct(s, d.pick("float32", "float64", "int32", "int64", "int16"))
    axis = d.axis(len(s))
    return d.pick(f"R.sort({x}, axis={axis}, descending={d.flag()})",
                  f"R.argsort({x}, axis={axis}, descending={d.flag()}, dtype=\"{d.pick('int32', 'int64')}\")",
                  f"R.topk({x}, k={d.rng.randint(1, s[axis])}, axis={axis}, ret_type=\"{d.pick('both', 'values', 'indices')}\", largest={d.flag()}, "
                  f"dtype=\"{d.pick('int32', 'int64')}\")")


def unique(d):
    x = d.tensor(d.shape(1, 2, 1), d.pick("float32", "int32", "int64"))
    return f"R.unique({x}, sorted=True, return_index={d.flag()}, return_inverse={d.flag()}, return_counts={d.flag()})"


def nonzero(d):
    d.reference = lambda x: np.stack(np.nonzero(x)).astype("int64")
    return f"R.nonzero({d.tensor(d.shape(1, 3), d.pick('float32', 'int32', 'int64', 'bool'), -1, 2)})"


def bucketize(d):
    t, right = d.pick("float32", "int32", "float64"), d.flag()
    x, b = d.tensor(d.shape(1, 3), t), d.tensor([d.dim(1)], t)
    d.inputs[b].sort()
    small = d.flag()
    d.reference = lambda x, b: np.searchsorted(b, x, "right" if right else "left").astype("int32" if small else "int64")
    return f"R.bucketize({x}, {b}, out_int32={small}, right={right})"


# Networks.

def softmax(name):
    def draw(d):
        s = d.shape(1, 4, 1)
        return f"R.nn.{name}({d.tensor(s, d.pick(*FLOATS))}, axis={d.axis(len(s))})"
    return draw


def layer_norm(d):
    s = d.shape(2, 4, 1)
    axes = list(range(len(s) - d.rng.randint(1, len(s) - 1), len(s)))
    inner = [s[a] for a in axes]
    axes = [a - len(s) for a in axes] if d.flag() else axes
    t = d.pick("float32", "float32", "float16")
    return (f"R.nn.layer_norm({d.tensor(s, t)}, {d.tensor(inner, t)}, {d.tensor(inner, t)}, axes={axes}, epsilon={d.pick(1e-5, 0.1)}, "
            f"center={d.flag()}, scale={d.flag()})")


def group_norm(d):
    groups, per = d.pick(1, 2, 3), d.pick(1, 2)
    rest, t = d.ints(d.pick(1, 2), 1, 4), "float32"
    s = [2, groups * per, *rest]
    axes = list(range(2, len(s)))
    return (f"R.nn.group_norm({d.tensor(s, t)}, {d.tensor([groups * per], t)}, {d.tensor([groups * per], t)}, num_groups={groups}, channel_axis={d.pick(1, 1 - len(s))}, "
            f"axes={axes}, epsilon={d.pick(0.01, 1e-5)}, center={d.flag()}, scale={d.flag()})")


def instance_norm(d):
    t = "float32"
    s = [2, d.rng.randint(1, 3), *d.ints(d.pick(1, 2), 1, 4)]
    return (f"R.nn.instance_norm({d.tensor(s, t)}, {d.tensor([s[1]], t)}, {d.tensor([s[1]], t)}, channel_axis=1, axes={list(range(2, len(s)))}, "
            f"epsilon={d.pick(0.01, 1e-5)}, center={d.flag()}, scale={d.flag()})")


def rms_norm(d):
    s = d.shape(2, 4, 1)
    axes = list(range(len(s) - d.rng.randint(1, len(s) - 1), len(s)))
    t = d.pick("float32", "float32", "float16")
    x, w = d.tensor(s, t), d.tensor([s[a] for a in axes], t)
    return f"R.nn.rms_norm({x}, {w}, axes={[a - len(s) for a in axes] if d.flag() else axes}, epsilon={d.pick(1e-5, 0.1)})"


def batch_norm(d):
    t, s = d.pick("float32", "float64"), [d.pick(2, 3), *d.ints(d.pick(1, 2, 3), 1, 4)]
    axis = d.axis(len(s))
    c = [s[axis]]
    epsilon, momentum, center, scale, training = d.pick(0.01, 1e-3), d.pick(0.1, 0.75), d.flag(), d.flag(), d.flag()

    def reference(x, gamma, beta, mean, var):
        others = tuple(a for a in range(x.ndim) if a != axis % x.ndim)
        along = [-1 if a == axis % x.ndim else 1 for a in range(x.ndim)]
        m, v = (x.mean(others), x.var(others)) if training else (mean, var)
        out = (x - m.reshape(along)) / np.sqrt(v.reshape(along) + epsilon)
        out = out * (gamma.reshape(along) if scale else 1) + (beta.reshape(along) if center else 0)
        return [out, *((old * (1 - momentum) + new * momentum) if training else old for old, new in ((mean, m), (var, v)))]
    d.reference = reference
    return (f"R.nn.batch_norm({d.tensor(s, t)}, {d.tensor(c, t)}, {d.tensor(c, t)}, {d.tensor(c, t)}, {d.tensor(c, t, 0.5, 3)}, axis={axis}, "
            f"epsilon={epsilon}, center={center}, scale={scale}, momentum={momentum}, training={training})")


def pads(d):
    s = d.shape(1, 3, 1)
    mode = d.pick("constant", "reflect", "replicate", "circular", "edge")
    width = [d.rng.randint(0, n - 1 if mode == "reflect" else n if mode == "circular" else 3) for n in s for _ in range(2)]
    return f"R.nn.pad({d.tensor(s, d.pick('float32', 'float64', 'float16', 'int32', 'int8'))}, {width}, pad_mode=\"{mode}\", pad_value={d.pick(0, -1.5, 2)})"


def shuffle(d):
    r = d.pick(1, 2, 3)

    def reference(x):
        *rest, c, h, w = x.shape
        x = x.reshape(*rest, c // r // r, r, r, h, w)
        n = len(rest)
        return x.transpose(*range(n), n, n + 3, n + 1, n + 4, n + 2).reshape(*rest, c // r // r, h * r, w * r)
    d.reference = reference
    return f"R.nn.pixel_shuffle({d.tensor([*d.shape(0, 1), d.pick(1, 2), r * r * d.pick(1, 2), *d.ints(2, 1, 3)], 'float32')}, upscale_factor={r})"


def losses(d):
    n, c, rest = d.dim(1), d.rng.randint(1, 4), d.pick([], [2], [2, 3])
    t = "float32"
    if d.rng.random() < 0.3:
        s = d.pick([c], [n, c])
        return f"R.nn.cross_entropy_with_logits({d.tensor(s, t)}, {d.tensor(s, t)})"
    batch = [] if d.rng.random() < 0.2 else [n]
    rest = rest if batch else []
    weights = f", {d.tensor([c], t, 0.5, 3)}" if d.flag() else ""
    p, y = d.tensor([*batch, c, *rest], t), d.tensor([*batch, *rest], d.pick("int64", "int32"), 0, c)
    return f"R.nn.nll_loss({p}, {y}{weights}, reduction=\"{d.pick('mean', 'sum', 'none')}\", ignore_index={d.pick(-100, 0, 1)})"


def attention(d):
    b, h, t = d.pick(1, 2), d.pick(1, 2), d.pick("float32", "float32", "float16")
    n, m, f, g = d.ints(4, 1, 4)
    q, k, v = d.tensor([b, n, h, f], t, -1, 1), d.tensor([b, m, h, f], t, -1, 1), d.tensor([b, m, h, g], t, -1, 1)
    bias = f", {d.tensor([d.pick(1, b), d.pick(1, h), d.pick(1, n), m], t, -1, 1)}" if d.flag() else ""
    mask = d.pick("None", "\"TopLeft\"", "\"BottomRight\"")
    return f"R.nn.attention({q}, {k}, {v}{bias}, scale={d.pick(None, 0.25, 1.5)}, causal_mask={mask})"


def quantizes(d):
    s = d.shape(1, 4, 1)
    axis = d.axis(len(s))
    zero = d.pick("int8", "float16")
    whole = d.flag()
    c = d.pick([], [1], [1, 1]) if whole else [s[axis]]
    t, out = d.pick("float32", "float16"), d.pick("int8", "uint8", "int16", "uint16")
    if d.flag():
        return f"R.quantize({d.tensor(s, t, -20, 20)}, {d.tensor(c, 'float32', 0.25, 2)}, {d.tensor(c, 'int8', -3, 4)}, axis={axis}, out_dtype=\"{out}\")"
    x = d.tensor(s, d.pick("int8", "uint8", "int16", "int32"), -100, 100)
    return f"R.dequantize({x}, {d.tensor(c, d.pick('float32', 'float16'), 0.25, 2)}, {d.tensor(c, zero, -3, 4)}, axis={axis}, out_dtype=\"{d.pick('float32', 'float16')}\")"


# Gradients and detection.

def pool_backward(name):
    def draw(d):
        size, window, strides = d.ints(2, 4, 7), d.ints(2, 2, 3), d.ints(2, 1, 3)
        pad = d.pick([0] * 4, d.ints(4, 0, 1))
        out = [(n + pad[k] + pad[k + 2] - w) // s + 1 for k, (n, w, s) in enumerate(zip(size, window, strides))]
        x, g = d.distinct([1, 2, *size], "float32"), d.tensor([1, 2, *out], "float32")
        include = d.flag() if name == "avg" else False
        d.reference = lambda x, g: pool_gradient(g, x, name, window, strides, pad, include)
        return (f"R.grad.{name}_pool2d_backward({g}, {x}, pool_size={window}, strides={strides}, padding={pad}, count_include_pad={include})")
    return draw


def pool_gradient(g, x, name, window, strides, pad, include):
    out = np.zeros(x.shape, "float64")
    for n, c, i, j in np.ndindex(*g.shape):
        top, left = i * strides[0] - pad[0], j * strides[1] - pad[1]
        spots = [(y, z) for y in range(top, top + window[0]) for z in range(left, left + window[1]) if 0 <= y < x.shape[2] and 0 <= z < x.shape[3]]
        if name == "max":
            y, z = max(spots, key=lambda p: x[n, c, p[0], p[1]])
            out[n, c, y, z] += g[n, c, i, j]
        else:
            for y, z in spots:
                out[n, c, y, z] += g[n, c, i, j] / (window[0] * window[1] if include else len(spots))
    return out.astype(x.dtype)


def take_backward(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    n = d.dim(1)
    g = list(s)
    g[axis] = n
    def reference(g, x, i):
        out = np.zeros_like(x)
        np.add.at(np.moveaxis(out, axis, 0), i, np.moveaxis(g, axis, 0))
        return out
    d.reference = reference
    return f"R.grad.take_backward({d.tensor(g, 'float32')}, {d.tensor(s, 'float32')}, {d.tensor([n], 'int32', 0, s[axis])}, axis={axis})"


def valid_counts(d):
    width = d.pick(5, 6)
    x = d.tensor([d.pick(1, 2), d.dim(1), width], "float32", -1, 2)
    return f"R.vision.get_valid_counts({x}, score_threshold={d.pick(0.0, 0.5)}, id_index={0 if width == 6 else -1}, score_index={1 if width == 6 else 0})"


def nms(d):
    b, n = d.pick(1, 2), d.rng.randint(1, 7)
    data = np.random.default_rng(d.rng.getrandbits(32))
    corner = data.integers(0, 12, (b, n, 2)) / 2
    boxes = np.concatenate([data.integers(0, 2, (b, n, 1)), data.permutation(b * n).reshape(b, n, 1) / 16 - 0.1, corner, corner + data.integers(1, 9, (b, n, 2)) / 2], -1)
    x = d.operand(boxes.astype("float32"))
    count = d.operand(data.integers(0, n + 1, (b,)).astype("int32"))
    ids = d.operand(np.arange(b * n).reshape(b, n).astype("int32"))
    return (f"R.vision.non_max_suppression({x}, {count}, {ids}, max_output_size={d.pick(-1, 2, 3)}, iou_threshold={d.pick(0.3, 0.5, 0.7)}, force_suppress={d.flag()}, "
            f"top_k={d.pick(-1, 2, 4)}, return_indices={d.flag()}, invalid_to_bottom={d.flag()}, soft_nms_sigma={d.pick(0.0, 0.0, 0.5)}, score_threshold={d.pick(0.0, 0.1)})")


def all_class_nms(d):
    b, c, n = d.pick(1, 2), d.pick(1, 2), d.rng.randint(1, 6)
    data = np.random.default_rng(d.rng.getrandbits(32))
    corner = data.integers(0, 12, (b, n, 2)) / 2
    boxes = d.operand(np.concatenate([corner, corner + data.integers(1, 9, (b, n, 2)) / 2], -1).astype("float32"))
    scores = d.operand((data.permutation(b * c * n).reshape(b, c, n) / 32).astype("float32"))
    return (f"R.vision.all_class_non_max_suppression({boxes}, {scores}, R.const({d.rng.randint(1, 4)}, \"int64\"), R.const({d.pick(0.3, 0.5)}, \"float32\"), "
            f"R.const({d.pick(0.0, 0.2)}, \"float32\"), output_format=\"onnx\")")


def multibox(d):
    b, c, n = d.pick(1, 2), d.rng.randint(2, 4), d.rng.randint(1, 5)
    p, loc = d.tensor([b, c, n], "float32"), d.tensor([b, n * 4], "float32", -1, 1)
    a = np.random.default_rng(d.rng.getrandbits(32)).uniform(0, 1, (1, n, 2)).round(2)
    anchor = d.operand(np.concatenate([a, a + 0.25], -1).astype("float32"))
    return (f"R.vision.multibox_transform_loc({p}, {loc}, {anchor}, clip={d.flag()}, threshold={d.pick(0.0, 0.3)}, variances={d.pick([1.0] * 4, [0.1, 0.1, 0.2, 0.2])}, "
            f"keep_background={d.flag()})")


def roi(d):
    n, size = d.rng.randint(1, 3), d.ints(2, 4, 8)
    data = np.random.default_rng(d.rng.getrandbits(32))
    b = d.pick(1, 2)
    low = data.integers(0, 4, (n, 2))
    rois = d.operand(np.concatenate([data.integers(0, b, (n, 1)), low, low + data.integers(1, 8, (n, 2))], -1).astype("float32"))
    last = d.flag()
    x = d.tensor([b, *size, 2] if last else [b, 2, *size], "float32")
    layout = "NHWC" if last else "NCHW"
    if d.flag():
        return f"R.vision.roi_pool({x}, {rois}, pooled_size={tuple(d.ints(2, 1, 3))}, spatial_scale={d.pick(1.0, 0.5)}, layout=\"NCHW\")" if not last else ""
    return (f"R.vision.roi_align({x}, {rois}, pooled_size={tuple(d.ints(2, 1, 3))}, spatial_scale={d.pick(1.0, 0.5)}, sample_ratio={d.pick(-1, 1, 2)}, aligned={d.flag()}, "
            f"layout=\"{layout}\", mode=\"{d.pick('avg', 'max')}\")")


CASES = [unary, unary, unary, special, special_pair, with_numbers, prelu, broadcasts, broadcasts, broadcasts, divides, divides, powers, scalars, ternary, casts, casts,
         reduction("sum"), reduction("prod"), reduction("max", 1), reduction("min", 1), reduction("mean", 1, FLOATS), reduction("std", 1, FLOATS[1:]),
         reduction("variance", 1, FLOATS), arg_reduction("argmax"), arg_reduction("argmin"), median, scan("cumsum"), scan("cumprod"), conv(1), conv(2), conv(3),
         conv_transpose(1), conv_transpose(2), conv_transpose(3), *[pool(n, r) for n in ("max", "avg") for r in (1, 2, 3)], adaptive(1), adaptive(2), adaptive(3),
         resize(2), resize(2), resize(3), resize_region, affine_grid, strided_slice, strided_slice, inbound_slice, dynamic_slice, take, take, gather_elements, gather_nd,
         index_tensor, index_put, scatter_elements, scatter_elements, scatter_nd, slice_scatter, hot, permute, reshape, flatten, squeeze, expand, stretch, collapse, layout,
         tiles, repeats, flips, concat, stack, split, meshgrid, trilu, create, eye_like, matmul, matmul, linear, outer, einsum, einsum, ordering, ordering, unique,
         nonzero, bucketize, softmax("softmax"), softmax("log_softmax"), layer_norm, group_norm, instance_norm, rms_norm, batch_norm, pads, pads, shuffle, losses, attention,
         quantizes, quantizes, pool_backward("max"), pool_backward("avg"), take_backward, valid_counts, nms, nms, all_class_nms, multibox, roi]
