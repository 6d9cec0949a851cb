"""Operators on random values, shapes and dtypes against numpy: ranks 0 to 5, dimensions of 0 and 1, negative axes, NaN, infinity, overflow.

The calls of one seed and dtype are the bindings of one function, evaluated once; RLX_RANDOM_SEEDS=N asks for more seeds.
"""

import json
import math
import os
import pathlib
import subprocess

import numpy as np
import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

HEADER = "from tvm.script import ir as I, relax as R, tirx as T\n\n"
DTYPES = ["int8", "int32", "int64", "uint8", "float16", "float32", "float64", "bool"]
CLOSE = {"float64": 1e-10, "float32": 2e-4, "float16": 1e-2}
SEEDS = range(int(os.environ.get("RLX_RANDOM_SEEDS", "2")))


def flat(x):
    return [v for y in x for v in flat(y)] if isinstance(x, list) else [x]


def evaluate(calls, inputs, folder):
    """The results of the calls, or what was said."""
    shape = lambda a: "(" + "".join(f"{d}, " for d in a.shape) + ")"  # noqa: E731
    params = ", ".join(f'{n}: R.Tensor({shape(a)}, "{a.dtype}")' for n, a in inputs.items())
    body = "".join(f"    v{k} = {c}\n" for k, c in enumerate(calls))
    script = folder / "script.py"
    script.write_text(f"{HEADER}@R.function\ndef main({params}):\n{body}    return ({', '.join(f'v{k}' for k in range(len(calls)))},)\n")
    np.savez(folder / "in.npz", **inputs)
    done = subprocess.run([RLX, "run", "--isolated", f"{script}::main", "--inputs", str(folder / "in.npz"), "--format", "json"],
                          capture_output=True, text=True, timeout=900)
    if done.returncode:
        return done.stderr
    return [np.array([float(v) if isinstance(v, str) else v for v in flat(o["data"])], dtype=o["dtype"]).reshape(o["shape"])
            for o in json.loads(done.stdout.splitlines()[-1])["outputs"]]


def differs(got, want):
    want = np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype} {got.shape}, not {want.dtype} {want.shape}"
    if want.dtype.kind == "f":
        t = CLOSE[str(want.dtype)]
        same = np.isclose(got.astype("float64"), want.astype("float64"), rtol=t, atol=t, equal_nan=True)
    else:
        same = got == want
    if np.all(same):
        return None
    at = tuple(np.argwhere(~np.atleast_1d(same))[0])
    return f"{np.atleast_1d(got)[at]}, not {np.atleast_1d(want)[at]} at {[int(i) for i in at]}"


def hold(calls, inputs, folder):
    """Fails with the calls that are wrong."""
    with np.errstate(all="ignore"):
        got = evaluate(list(calls), inputs, folder)
        if isinstance(got, str):  # one of them: each alone
            got = [evaluate([c], inputs, folder) for c in calls]
            got = [g if isinstance(g, str) else g[0] for g in got]
        wrong = [(c, g if isinstance(g, str) else differs(g, w)) for (c, w), g in zip(calls.items(), got)]
    assert [w for w in wrong if w[1]] == [], {n: (a.dtype, a.shape) for n, a in inputs.items()}


def wide(x):
    """16-bit floats are computed in float32."""
    return x.astype("float32") if x.dtype == np.float16 else x


class Random:
    def __init__(self, seed, dtype):
        self.rng, self.dtype = np.random.default_rng([seed, DTYPES.index(dtype)]), dtype

    def __call__(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def data(self, shape, dtype=None):
        dtype = dtype or self.dtype
        if dtype == "bool":
            return self.rng.integers(0, 2, shape).astype(bool)
        if dtype.startswith("f"):
            return np.asarray(self.rng.standard_normal(shape) * 3).astype(dtype)
        return np.asarray(self.rng.integers(0 if dtype[0] == "u" else -100, 101, shape)).astype(dtype)

    def shape(self, rank=None, low=1):
        return tuple(self(low, 4) for _ in range(self(0, 5) if rank is None else rank))

    def axes(self, rank, count):
        return [int(a) - (rank if self(0, 1) else 0) for a in self.rng.permutation(rank)[:count]]


def special(dtype):
    """Each pair of values at which a rule may go wrong."""
    if dtype == "bool":
        one = [0, 1]
    elif dtype.startswith("f"):
        one = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1, -1, 0.5, 2.5, -2.5, 1e-3, 100, -100, 7, -3.25]
    else:
        i = np.iinfo(dtype)
        one = [0, 1, 2, 3, 7, 8, 31, 63, i.max, i.min, i.max - 1, i.min + 1, i.max // 3] + ([-1, -2, -7] if i.min else [])
    x, y = np.meshgrid(np.array(one).astype(dtype), np.array(one).astype(dtype))
    return x.ravel().copy(), y.ravel().copy()


def in_wide(f, *args):
    return np.asarray(f(*map(wide, args))).astype(args[0].dtype)


def of_integers(dtype, f):
    """A function of Python's integers, wrapped to the dtype."""
    bits = np.iinfo(dtype).bits
    return lambda a, b: np.array([f(i, j) % (1 << bits) for i, j in zip(a.tolist(), b.tolist())], dtype="uint64").astype(f"uint{bits}").view(dtype)


def truncated(i, j):
    return 0 if not j else abs(i) // abs(j) * (1 if (i < 0) == (j < 0) else -1)


def power(i, j):
    return i**j if j >= 0 and j < 400 else pow(i, j, 1 << 64) if j >= 0 else 1 if i == 1 else (-1) ** (j % 2) if i == -1 else 0


def elementwise(dtype, x, y):
    """Calls and numpy's answers."""
    is_float, d = dtype.startswith("f"), x.dtype.type
    calls = {f"R.{n}(x, y)": getattr(np, n)(x, y) for n in ("maximum", "minimum", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal")}
    if dtype == "bool":
        return calls | {"R.logical_and(x, y)": x & y, "R.logical_or(x, y)": x | y, "R.logical_xor(x, y)": x ^ y, "R.logical_not(x)": ~x,
                        "R.bitwise_xor(x, y)": x ^ y, 'R.astype(x, "float32")': x.astype("float32")}
    calls |= {"R.add(x, y)": x + y, "R.subtract(x, y)": x - y, "R.multiply(x, y)": x * y, "R.negative(x)": (d(0) - x).astype(dtype), "R.abs(x)": np.abs(x),
              "R.sign(x)": np.sign(x), "R.square(x)": x * x, "R.nn.relu(x)": np.maximum(x, d(0)), "R.clip(x, 1, 6)": np.clip(x, d(1), d(6))}
    if not is_float:
        safe = np.where(y == 0, d(1), y)
        calls |= {"R.divide(x, y)": of_integers(dtype, truncated)(x, y), "R.mod(x, y)": of_integers(dtype, lambda i, j: i - j * truncated(i, j) if j else 0)(x, y),
                  "R.floor_divide(x, y)": np.where(y == 0, d(0), x // safe), "R.floor_mod(x, y)": np.where(y == 0, d(0), x % safe),
                  "R.power(x, y)": of_integers(dtype, power)(x, y), "R.left_shift(x, y)": np.left_shift(x, y), "R.right_shift(x, y)": np.right_shift(x, y),
                  "R.bitwise_and(x, y)": x & y, "R.bitwise_not(x)": ~x, "R.round(x)": x,
                  'R.astype(x, "int8")': x.astype("int8"), 'R.astype(x, "uint64")': x.astype("uint64"), 'R.astype(x, "float32")': x.astype("float32")}
        return calls
    names = {"exp": "exp", "log": "log", "sqrt": "sqrt", "sin": "sin", "tanh": "tanh", "asin": "arcsin", "atanh": "arctanh", "floor": "floor", "ceil": "ceil",
             "round": "round", "trunc": "trunc", "cosh": "cosh"}
    calls |= {f"R.{n}(x)": in_wide(getattr(np, f), x) for n, f in names.items()}
    calls |= {f"R.{n}(x)": getattr(np, n)(x) for n in ("isnan", "isinf", "isfinite")}
    calls |= {"R.divide(x, y)": in_wide(np.divide, x, y), "R.floor_divide(x, y)": in_wide(lambda a, b: np.floor(a / b), x, y),
              "R.mod(x, y)": in_wide(np.fmod, x, y), "R.power(x, y)": in_wide(np.power, x, y), "R.atan2(x, y)": in_wide(np.arctan2, x, y),
              "R.log_add_exp(x, y)": in_wide(np.logaddexp, x, y), "R.sigmoid(x)": in_wide(lambda a: 1 / (1 + np.exp(-a)), x),
              "R.nn.softplus(x)": in_wide(lambda a: np.where(a > 20, a, np.log1p(np.exp(a))), x),
              'R.astype(x, "int32")': x.astype("int32"), 'R.astype(x, "int64")': x.astype("int64"), 'R.astype(x, "bool")': x.astype("bool")}
    return calls


@pytest.mark.parametrize("dtype", DTYPES)
def test_special_values(dtype, tmp_path):
    x, y = special(dtype)
    with np.errstate(all="ignore"):
        calls = elementwise(dtype, x, y)
    hold(calls, {"x": x, "y": y}, tmp_path)


def reductions(r, x):
    dtype, rank = r.dtype, x.ndim
    axes, keeps = r.axes(rank, r(1, rank)), bool(r(0, 1))
    at, how = tuple(a % rank for a in axes), f"axis={axes}, keepdims={keeps}"
    a = r.axes(rank, 1)[0]
    calls = {f"R.flip(x, axis={a})": np.flip(x, a), f"R.sort(x, axis={a})": np.sort(x, a), f"R.sort(x, axis={a}, descending=True)": np.flip(np.sort(x, a), a),
             f'R.argsort(x, axis={a}, dtype="int64")': np.argsort(x, a, kind="stable"), f"R.repeat(x, 2, axis={a})": np.repeat(x, 2, a)}
    if x.size:
        calls |= {f"R.max(x, {how})": x.max(axis=at, keepdims=keeps), f"R.min(x, {how})": x.min(axis=at, keepdims=keeps),
                  f"R.argmax(x, axis={a})": np.argmax(x, a), f"R.argmin(x, axis={a}, keepdims=True)": np.argmin(x, a, keepdims=True)}
    if dtype == "bool":
        return calls | {f"R.sum(x, {how})": x.any(axis=at, keepdims=keeps), f"R.prod(x, {how})": x.all(axis=at, keepdims=keeps)}
    w = wide(x)
    calls |= {f"R.sum(x, {how})": w.sum(axis=at, keepdims=keeps, dtype=w.dtype).astype(dtype),
              f"R.prod(x, {how})": w.prod(axis=at, keepdims=keeps, dtype=w.dtype).astype(dtype),
              f"R.cumsum(x, axis={a})": np.cumsum(w, a, dtype=w.dtype).astype(dtype), f"R.cumprod(x, axis={a})": np.cumprod(w, a, dtype=w.dtype).astype(dtype)}
    if dtype.startswith("f") and x.size:
        e = np.exp(w - w.max(axis=a, keepdims=True))
        calls |= {f"R.mean(x, {how})": w.mean(axis=at, keepdims=keeps).astype(dtype), f"R.variance(x, {how})": w.var(axis=at, keepdims=keeps).astype(dtype),
                  f"R.std(x, {how})": w.std(axis=at, keepdims=keeps).astype(dtype), f"R.nn.softmax(x, axis={a})": (e / e.sum(axis=a, keepdims=True)).astype(dtype)}
    return calls


def places(r, x):
    """Slices, padding, and indices that are values."""
    rank, a = x.ndim, r.axes(x.ndim, 1)[0]
    n, axis = x.shape[a], a % rank
    begin, end, step = r(-6, 6), r(-6, 6), int(r.rng.choice([1, 2, 3, -1, -2]))
    low, high = (0, n) if step > 0 else (-1, n - 1)
    first, last = [min(max(v + n if v < 0 else v, low), high) for v in (begin, end)]
    pads = [r(0, 2) for _ in range(2 * rank)]
    calls = {f"R.strided_slice(x, [{a}], [{begin}], [{end}], [{step}])": np.take(x, np.arange(first, last, step), axis),
             f"R.nn.pad(x, {pads})": np.pad(x, list(zip(pads[::2], pads[1::2]))), f"R.concat((x, x), axis={a})": np.concatenate((x, x), a)}
    inputs = {"x": x}
    if not n:
        return calls, inputs
    inputs["i"] = i = r.rng.integers(-n, n, r.shape(r(0, 2)))
    shape = tuple(3 if k == axis else d for k, d in enumerate(x.shape))
    inputs["g"] = g = r.rng.integers(-n, n, shape)
    inputs["u"] = u = r.data(shape)
    where = list(np.indices(shape))
    where[axis] = g
    most = x.copy()
    np.maximum.at(most, tuple(where), u)
    calls |= {f"R.take(x, i, axis={a})": np.take(x, i, axis), f'R.take(x, i, axis={a}, mode="wrap")': np.take(x, i, axis, mode="wrap"),
              f'R.take(x, i, axis={a}, mode="clip")': np.take(x, i, axis, mode="clip"), f"R.gather_elements(x, g, axis={a})": np.take_along_axis(x, g, axis),
              f'R.scatter_elements(x, g, u, axis={a}, reduction="max")': most}
    if all(x.shape):
        m = r(1, rank)
        inputs["t"] = t = np.stack([r.rng.integers(-d, d, (2, 3)) for d in x.shape[:m]], -1)
        calls["R.gather_nd(x, t)"] = x[tuple(t[..., k] for k in range(m))]
        calls["R.nonzero(x)"] = np.stack(np.nonzero(x))
        calls["R.unique(x)"] = np.unique(x)
    return calls, inputs


def moved(r, x):
    """Shapes that change, and operands that are stretched."""
    rank = x.ndim
    perm, reps, e = r.axes(rank, rank), [r(0, 2) for _ in range(r(1, 5))], r(-rank - 1, rank)
    to = r.shape(r(0, 2)) + tuple(d if d != 1 else 3 for d in x.shape)
    y = r.data(tuple(1 if r(0, 2) == 0 else d for d in x.shape)[r(0, rank):])
    calls = {f"R.permute_dims(x, {perm})": np.transpose(x, [p % rank for p in perm]), f"R.tile(x, {reps})": np.tile(x, reps), f"R.expand_dims(x, {e})": np.expand_dims(x, e),
             "R.flatten(x)": x.reshape(-1), f"R.broadcast_to(x, {to})": np.broadcast_to(x, to), f"R.stack((x, x), axis={e})": np.stack((x, x), e),
             "R.less(x, y)": x < y, "R.where(R.less(x, y), x, y)": np.where(x < y, x, y)}
    if r.dtype != "bool":
        calls |= {"R.add(x, y)": x + y, "R.multiply(y, x)": x * y}
    inputs = {"x": x, "y": y}
    if rank > 1:
        calls |= {"R.tril(x, 1)": np.tril(x, 1), "R.triu(x, -1)": np.triu(x, -1)}
    if rank and r.dtype != "bool":
        inputs["z"] = z = r.data((tuple(d if r(0, 1) else 1 for d in x.shape[:-2]) if rank > 1 else ()) + (x.shape[-1], r(1, 3)))
        calls["R.matmul(x, z)"] = np.matmul(wide(x), wide(z)).astype(r.dtype)
    return calls, inputs


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", SEEDS)
def test_shapes(seed, dtype, tmp_path):
    with np.errstate(all="ignore"):
        for low in (0, 1, 1):
            r = Random(seed * 10 + low, dtype)
            hold(*moved(r, r.data(r.shape(low=low))), tmp_path)
            x = r.data(r.shape(r(1, 5), low))
            hold(reductions(r, x), {"x": x}, tmp_path)
            hold(*places(r, x), tmp_path)
