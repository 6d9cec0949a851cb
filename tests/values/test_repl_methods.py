"""Methods of tensors at the REPL's prompt, and Python's functions on them, against numpy."""

import pathlib
import re
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

MARK = "123456"
SETUP = {"x": [[1.5, -2.0, 3.0], [4.0, 0.0, 6.25]], "n": [[3, 1, 2], [0, 5, -4]], "m": [[True, False, True], [False, False, True]], "v": [2, 0, 7], "one": [[4.5]]}
NAMES = {k: np.array(v, dtype=np.float32 if k in ("x", "one") else None) for k, v in SETUP.items()}
REDUCTIONS = ["sum", "mean", "max", "min", "prod", "std", "var", "any", "all", "argmax", "argmin"]
ARGUMENTS = ["", "0", "axis=1", "axis=-1, keepdims=True"]
CASES = [f"{a}.{f}({args})" for a in "xn" for f in REDUCTIONS for args in ARGUMENTS]
CASES += [f"m.{f}({args})" for f in ("sum", "mean", "any", "all") for args in ARGUMENTS]
CASES += [f"{a}.{f}" for a in "xnm" for f in ("T", "ndim", "size", "nbytes", "shape", "transpose()", "transpose(1, 0)", "transpose((1, 0))",
                                             "reshape(3, 2)", "reshape((3, 2))", "reshape(-1)", "reshape(2, -1)", "flatten()", "ravel()", "swapaxes(0, 1)",
                                             "swapaxes(-1, 0)", "copy()", "squeeze()", "reshape(1, 2, 3).squeeze()", "T.reshape(6)[1]", "reshape(3, 2).T[0]")]
CASES += ["round(2.5, 999)", "round(1e-20, 25)", "x.cumsum(0)", "x.cumsum()", "m.cumsum(axis=1)", "n.cumprod(1)", "x.clip(0, 4)", "x.round()", "n.repeat(2, axis=0)", "x.dot(x.T)", "n.astype('float32').dot([1.0, 2.0, 3.0])",
          "x.astype('int32')", "n.astype(bool)", "(x > 1).sum()", "(x > 1).mean()", "x[x > 1].sum()", "x.max() - x.min()", "x.T.sum(axis=0).max()", "one.item()",
          "sum(v)", "sum(n)", "max(v)", "min(v)", "sorted(v)", "abs(x)", "len(n)", "len(x.shape)", "len(x[0])", "float(one[0, 0])", "int(one[0, 0])", "bool(one[0, 0])", "pow(n, 2)",
          "any(v)", "all(v)", "3 in n", "9 in n", "9 not in n", "not one", "not (v[0] > 5)", "v[0] > 1 and v[1] > 0", "v[0] > 1 or v[1] > 0", "1 < v[0] < 3", "1 < v[0] < 2",
          "n * 0.5", "1.5 - n", "n / 2.0", "n // 2.5", "abs(n) ** 2.5", "n == 1.0", "n > 0.5", "n + [0.5, 1.5, 2.5]", "m + 1", "m * 2.5", "m > 0", "2 - m", "n.clip(0.5, 2.5)", "n.clip(1, 3)",
          "np.maximum(n, 0.5)", "np.where(m, 1, 0)", "np.where(m, 1, 0.5)", "np.where(m, n, -1.5)", "np.where(m, n, 7)",
          "x if v[0] > 1 else n", "x if v[1] > 1 else n", "+x", "-n", "n[:v[0]]", "n[v[1]]", "n.sum(axis=0)[1]", "x.T[n[0] > 1].mean()"]
FORMULAS = ["np.allclose(x, x + 1e-7)", "np.allclose(x, x + 0.1)", "np.allclose(n, n + 1e-9)", "np.allclose(x, x + 0.1, atol=0.2)", "np.isclose(n, [3.0, 1.5, 2.0])", "np.count_nonzero(n)",
            "np.count_nonzero(m, axis=1)", "np.linalg.norm(n)", "np.linalg.norm(x, axis=1, keepdims=True)", "np.divide(n, 2)", "np.true_divide(1, n + 9)", "np.mod(n, 3)", "np.remainder(x, 2.5)",
            "np.exp2(n)", "np.arctan2(x, 2)", "np.hypot(n, x)", "np.round(x / 7, 2)", "np.around(x)", "np.size(x)", "np.ndim([[1, 2]])", "np.shape(n)", "np.diff(n)", "np.diff(v)",
            "np.vstack([x, x])", "np.vstack((v, v))", "np.hstack([x, x])", "np.hstack(([1, 2], v))", "np.flip(n)", "np.flip(n, 1)", "np.flipud(n)", "np.fliplr(n)", "np.roll(n, 2)", "np.roll(n, -7)",
            "np.roll(v, 0)", "np.take(n, [5, 0])", "np.take(n, [2, 0], axis=1)", "np.einsum('ij,kj->ik', x, x)", "np.einsum('ij->j', n)", "np.meshgrid(v, n[0])[1]", "np.meshgrid([1, 2], [3, 4, 5], indexing='ij')[0]",
            "np.logspace(0, 3, 4)", "np.logspace(0, 4, num=3, base=2.0)", "np.logspace(-1, 1, 4, endpoint=False)", "np.geomspace(1, 8, 4)", "np.empty((2, 3)).shape", "np.diag(v)", "np.diag([1.5, 2])", "x.round(1)",
            "np.linspace(0, 1, 5) * 2", "np.arange(4) * 0.5", "np.maximum(0, n)", "np.minimum(1.5, n)", "np.add(1, x)", "np.exp(1)", "np.sqrt(2)", "np.power(2, abs(n))", "np.where(m, 1, n)", "np.zeros(len(v))",
            "np.linspace(0, 1, len(v))", "np.full((len(v),), 2.5)", "np.eye(n.shape[0])", "np.ones((n.shape[0], len(v) + 1))", "np.arange(100000).sum()", "np.full((3,), 2000000).prod()", "np.arange(70000).cumsum()[-1]", "sum(np.full((3,), 2000000000))", "np.sum(np.arange(100000))", "np.arange(0, 1, 0.25)", "np.concatenate([n, n], axis=1)", "np.stack([v, v], axis=1)", "np.mean(n, axis=0)", "np.argmax(n, axis=1)"]
FORMULAS += ["np.diff(v) * [2, 3]", "9 - np.diff(v)", "2.0 / x.round(1)[0]", "-np.diff(n)", "np.diff(n) ** 2", "10 - np.ptp(x)", "np.diff(n).sum()", "np.diff(n)[0]", "1.0 / np.exp2(n)", "abs(np.diff(n))", "2 - np.count_nonzero(n)"]
STATISTICS = [f"np.median({x}{axis})" for x in ("x", "n", "m", "v", "one") for axis in ("", ", axis=0", ", axis=-1") if x != "v" or axis != ", axis=1"]
STATISTICS += ["np.median(n, axis=1, keepdims=True)", "np.median(x, axis=None)", "np.median([1.0, np.nan, 3.0])", "np.median([[1.0, np.nan], [3.0, 4.0]], axis=0)", "np.quantile(x, 0.3)", "np.quantile(x, 0)",
               "np.quantile(x, 1.0, axis=0)", "np.quantile(n, 0.7, axis=1, keepdims=True)", "np.quantile(x, [0.0, 0.25, 0.5, 1.0])", "np.percentile(x, 30)", "np.percentile(n, [10, 50, 99], axis=1)",
               "np.percentile([[[1.0, 5.0], [2.0, 8.0]]], [25, 75], axis=1)", "np.var(x, ddof=1)", "x.var(ddof=1)", "n.std(axis=0, ddof=1)", "np.std(x, 1, ddof=1, keepdims=True)", "np.average(x)", "np.average(n, axis=0)",
               "np.average(x, weights=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])", "np.ptp(x)", "np.ptp(n, axis=1)", "np.cov(x)", "np.cov(v)", "np.corrcoef(x)", "np.digitize(x, [0.0, 1.0, 4.0])", "np.digitize(x, [4.0, 1.0, 0.0])", "np.digitize(1.5, [1, 2])", "np.searchsorted([1.0, 2.0, 4.0], x)",
               "np.searchsorted([1, 2, 4], 2)", "np.interp(1.5, [1.0, 2.0], [3.0, 5.0])", "np.average(v, weights=[3, 1, 0])", "np.interp([0.5, 1.5, 2.0, 9.0], [1.0, 2.0, 3.0], [3.0, 5.0, 4.0])", "np.nansum([1.0, np.nan])", "np.nanmean([[1.0, np.nan], [3.0, 4.0]], axis=0)", "np.nanmax([np.nan, -2.0])",
               "np.nanmin([[np.nan, 2.0]], axis=1)", "np.sum(n, dtype='float32')", "np.mean(n, axis=0, dtype='float64')", "np.sum(x, where=m)"]
STATISTICS += ["np.quantile([5.0, 6.0], [0.0, 1.0])", "np.digitize([np.nan, 2.0], [1.0, 2.0, 3.0])", "np.searchsorted([1.0, 2.0], [np.nan, 1.5])", "np.searchsorted([1.0, 2.0, np.nan], [np.nan, 9.0])", "np.searchsorted([1.0, 2.0], np.nan)",
               "np.interp([0.5, 2.5], [1.0], [5.0])", "np.nanmax(n)", "np.nanmin([3, 1])", "np.nanmax([16777217, 3])", "np.nanmax([[np.nan, 1.0], [np.nan, np.nan]], axis=1)", "np.nanmin([[np.nan, np.nan], [2.0, np.nan]], axis=1, keepdims=True)",
               "np.nanmax([np.nan, -np.inf])", "np.nanmean(n, axis=1)"]
ELEMENTWISE = [f"np.{f}(abs(x) + 0.5)" for f in ("log1p", "expm1", "log2", "log10", "cbrt", "reciprocal", "deg2rad", "radians", "rad2deg", "degrees", "sinc", "rint", "fix")]
ELEMENTWISE += ["np.log1p([1e-6, -1e-6, 0.0, 100.0, 1e-20])", "np.expm1([1e-6, -1e-6, 0.0, 20.0, -100.0, -1.0, 1e-20])", "np.log2([1, 2, 8, 1024])", "np.log10([1.0, 1000.0, 1e-5])", "np.cbrt([-8.0, 0.0])", "np.sinc([0.0, 0.5])",
                "np.fmax(x, [np.nan, 0.0, 9.0])", "np.fmin([np.nan, 1.0, 2.0], n)", "np.heaviside(x, 0.5)", "np.heaviside([np.nan, 0.0, -1.0], 0.5)", "np.float_power(abs(n), 0.5)", "np.isposinf([np.inf, 1.0])", "np.isneginf([-np.inf, 1.0])", "np.clip(n, 1, None)",
                "np.clip(x, None, 2.5)", "np.fmod([-3.0, 3.5], 2.0)", "np.pow(x, 2)", "np.logaddexp(x, 1.0)", "np.cumulative_sum(v)", "np.divmod(n, 2)[1]", "np.divmod([7, -7], 3)[1]", "np.divmod([7.5, -7.5], 2.0)[0]", "np.modf(x)[1]", "np.array_equal(n, n)", "np.array_equal(n, v)",
                "np.array_equal(x, x + 1)"]
ELEMENTWISE += [f"np.{f}(0.125)" for f in ("log1p", "expm1", "log2", "log10", "cbrt", "sinc")] + ["np.log2(8)", "np.sinc(0)", "np.modf([1.5, np.inf, -2.25, np.nan])[0]", "np.modf(n)[0]", "np.modf(-2.5)[0]"]
ELEMENTWISE += ["np.clip(n, 3, 1)", "np.clip(n, None, None)", "np.clip(n, min=1, max=None)", "np.clip(n, min=None, max=2)", "n.clip(min=None, max=2)", "x.clip(4, 2)", "n.clip(min=2, max=-1)", "np.clip(n, None, 0.5)", "np.clip(n, 0.5, 3)", "np.clip(x, [1.0, 2.0, 3.0], 4)", "np.clip(v, a_min=1, a_max=5)", "np.clip([1.0, np.nan], 0, np.nan)", "np.clip(n, 1, [2, 0, 4])"]
PLACES = ["np.sort(n, axis=None)", "np.argsort(v, axis=None)[0]", "np.argwhere(n > 1)", "np.flatnonzero(n)", "np.where(n > 1)", "np.extract(n > 1, n)", "np.extract([1, 0, 1], v)", "np.compress([True, False], x, axis=0)", "np.compress([0, 1, 1], n, axis=1)",
          "np.compress([True, False, True], v)", "v.compress([True, False, True])", "n.compress([1, 0, 1], 1)", "n.compress([0, 1], axis=0)", "np.take_along_axis(n, np.argsort(n, axis=1).astype(int), axis=1)", "np.isin(n, [1, 2, 9])", "np.intersect1d(v, [2, 9, 7])", "np.setdiff1d([3, 1, 3, 2], [2])", "np.union1d(v, [1, 0])",
          "np.unique([3, 1, 3, 2])", "np.inner(v, v)", "np.inner(n, n)", "np.vdot(n, n)", "np.vecdot(n, n)", "np.cross([1.0, 2.0, 3.0], [4.0, 5.0, 6.5])", "np.cross(n, n + 1)", "np.kron(v, v)", "np.kron(n, [[1, 2]])", "np.trace(n @ n.T)",
          "np.diagonal(n)", "np.diag(n)", "np.diag(n.T)", "np.vander([1.0, 2.0, 3.0])", "np.polyval([1, 2, 0.5], 3.0)", "np.polyval([1, 2], [3.0, 4.0])", "np.convolve([1.0, 2.0, 3.0], [0.0, 1.0])", "np.gradient([1.0, 4.0, 9.0, 7.0])",
          "np.trapezoid(n)", "np.trapezoid([1.0, 2.0, 4.0], [0.0, 1.0, 3.0])", "np.matrix_transpose(x)", "np.moveaxis(np.ones((2, 3, 4)), 0, -1).shape", "np.moveaxis(np.arange(24).reshape(2, 3, 4), 2, 0)", "np.atleast_1d(3)",
          "np.atleast_2d(v)", "np.atleast_2d(n)", "np.hsplit(n, 3)[1]", "np.hsplit(n, [1, 2])[2]", "np.hsplit(v, (1,))[0]", "np.vsplit(n, 2)[1]", "np.column_stack([v, v])", "np.column_stack((n, n))", "np.dstack([n, n])", "np.dstack((v, v))", "np.append(v, 9)", "np.append(v, 2.5)", "np.append([True, False], 5)", "np.pad(v, (1, 2), 'edge')", "np.pad(n, ((1, 0), (0, 2)), mode='edge')", "np.append(x, np.inf)", "np.insert(v, -3, 5)", "np.insert(v, 3, 5)", "np.append(n, [[7, 8, 9]])",
          "np.append(n, [[7, 8, 9]], axis=0)", "np.delete(v, 0)", "np.delete(v, -1)", "np.insert(v, 1, 5)", "np.rot90(n)", "np.roll(n, 1, axis=0)", "np.roll(n, -2, axis=1)", "np.pad(v, 1)", "np.pad(n, 1, constant_values=3)",
          "np.pad(v, (2, 0))", "np.pad(n, ((1, 0), (0, 2)))", "np.pad(n, [[0, 1], [1, 1]], mode='constant', constant_values=9)", "np.empty_like(n).shape", "np.ediff1d(n)", "np.partition(v, 1)[1]", "int(2.7)", "int(-2.7)", "round(2.567, 1)", "round(-1234.5678, 3)", "round(0.125, 2)", "round(7, 2)", "v * round(2.6, 0)", "x * round(1 / 3, 4)",
          "min(3, 2, 4)", "max(2, len(v))", "1 if n.size > 5 else 2", "(n if n.ndim == 2 else v).sum()"]
PLACES += ["np.argsort(n)", "n.argsort(axis=0)", "n.argsort(0)", "np.argsort(x, axis=-1)", "v.argsort()", "np.argsort(v).nbytes", "n.argsort().nbytes", "np.argpartition(v, 1).nbytes", "np.argsort(n, axis=None)",
           "np.partition(n, -1)[:, 2]", "np.split(n, 3, axis=1)[1]", "np.split(v, 3)[2]", "np.split(v, [1])[0]"]
LINALG = ["np.linalg.matrix_power(n @ n.T, 3)", "np.linalg.matrix_power(n @ n.T, 0)", "np.linalg.norm(x, 'fro')", "np.linalg.norm(v)", "np.linalg.vector_norm(v)"]
LINALG += [f"np.linalg.norm({x}, {order})" for x in ("v", "n") for order in (1, 2, -1, "np.inf", "-np.inf") if x == "v" or order != 2] + ["np.linalg.norm(v, 3)", "np.linalg.norm(v, 0)"]
DRAWN = {"np.random.exponential(2.0, 20000).mean()": 2.0, "np.random.standard_exponential(20000).mean()": 1.0, "np.random.lognormal(0.0, 0.5, 20000).mean()": np.exp(0.125), "np.random.gumbel(1.0, 2.0, 20000).mean()": 1 + 2 * 0.5772,
         "np.random.logistic(3.0, 1.0, 20000).mean()": 3.0, "np.random.laplace(-1.0, 1.0, 20000).mean()": -1.0, "np.random.binomial(10, 0.3, 20000).mean()": 3.0, "np.random.binomial(10, 0.3, (100, 200)).mean()": 3.0,
         "np.random.choice(10, 20000).mean()": 4.5, "np.random.choice([2, 4], (200, 100)).mean()": 3.0, "np.random.logistic(0.0, 1.0, 20000).var()": np.pi**2 / 3, "np.random.laplace(0.0, 1.0, 20000).var()": 2.0,
         "np.random.exponential(2.0, 20000).var()": 4.0, "np.random.binomial(10, 0.3, 20000).var()": 2.1}
REFUSED = ["not m", "m and m", "x > 1 and x < 3", "1 < x < 3", "x if m else n", "x.item()", "float(x)", "max(n)", "x.reshape(4, 2)", "x.sum(2)", "x.swapaxes(0, 2)", "x.nothing()", "x.tolist()", "np.linalg.inv(x)", "np.linalg.inv(v)", "np.linalg.inv([[1.0, 2.0], [2.0, 4.0]])",
           "np.linalg.cholesky([[1.0, 2.0], [2.0, 1.0]])", "np.linalg.solve(n @ n.T, v)", "np.linalg.eigvals(n @ n.T)", "np.linalg.matrix_power(n @ n.T, -1)", "np.linalg.norm(n, 2)", "np.linalg.norm(n, -2)", "np.linalg.norm(n, 'nuc')", "np.polyfit(v, v, 1)", "np.moveaxis(x, 0, 2)", "np.pad(n, 1, 'edge')", "np.median(x, axis=2)", "np.linalg.norm(n, 3)",
           "np.linalg.matrix_power(n @ n.T, 2.5)", "np.delete(v, 3)", "np.insert(v, 4, 5)", "np.quantile(x, -1.0)", "np.quantile(x, 1.5)", "np.average(n, weights=[3, 1, 2])", "np.average(n, weights=[[1, 2], [3, 4], [5, 6]])", "np.quantile(x, [-0.5, 0.5])", "np.quantile([5.0], [1.5])", "np.median(v, keepdims=True)", "np.median(x, axis=(0,))"]

WHY = {"np.quantile(x, 1.5)": "quantiles are between 0 and 1", "np.percentile(n, [20, 120], axis=1)": "percentiles between 0 and 100", "np.quantile(x, [-0.5, 0.5])": "quantiles are between", "np.quantile(v, np.nan)": "quantiles are between",
       "np.linalg.matrix_power(x, 0)": "takes a square matrix", "np.linalg.matrix_power(x, 1)": "takes a square matrix", "np.linalg.matrix_power(x, 2)": "takes a square matrix", "np.linalg.matrix_power(n @ n.T, 2.5)": "takes an integer as its power",
       "np.linalg.matrix_power(n @ n.T, -1)": "np.linalg.inv is not here", "np.median(x, axis=2)": "axis 2 is out of range for a tensor of 2 dimensions", "np.roll(v, 1, axis=5)": "axis 5 is out of range for a tensor of 1 dimension",
       "n.swapaxes(0, -3)": "axis -3 is out of range", "np.partition(v, 3)": "kth is out of bounds", "np.argpartition(n, -4)": "kth is out of bounds", "np.split(v, 2)": "makes equal parts", "np.split(v, 0)": "a positive number of parts", "np.hsplit(n, 2)": "makes equal parts",
       "np.linalg.norm(n, 2)": "Relax has no singular values"}


def answers_to(entries):
    lines = [f"{name} = {value}" for name, value in SETUP.items()] + [line for entry in entries for line in (entry, f"R.const({MARK})")]
    done = subprocess.run([RLX, "repl", "--keep-going"], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=900)
    answers = done.stdout.split(f'{MARK}\n# R.Tensor((), dtype="int32")\n')
    assert len(answers) == len(entries) + 1
    return answers[:-1]


def literal(text):
    """As ast.literal_eval, with nan and inf."""
    return eval(text, {"__builtins__": {}, "nan": float("nan"), "inf": float("inf")})


def value_of(text):
    """The value that was printed, as numbers, without its StructInfo."""
    body = re.sub(r"(?m)^# .*\n", "", text).replace("R.shape(", "(").strip()
    return np.array(literal(re.sub(r"(?<=[\d\].enf])\s+(?=[-\d\[ni])", ",", re.sub(r"(?<=e)\s+(?=[TF])", ",", body)).replace("\n", "")))


def test_as_numpy_has_them():
    cases = CASES + FORMULAS + STATISTICS + ELEMENTWISE + PLACES + LINALG
    wrong = []
    for case, text in zip(cases, answers_to(cases)):
        with np.errstate(all="ignore"):
            want = np.array(eval(case, {"np": np}, NAMES))
        got = None if "error" in text else value_of(text)
        is_right = got is not None and got.shape == want.shape and np.allclose(got, want, rtol=2e-5, atol=2e-6 if case in LINALG else 1e-8, equal_nan=True)
        if not is_right:
            wrong.append(f"{case}: {want.tolist()}, {text}")
    assert not wrong, "\n".join(wrong)


def test_random_numbers_have_their_distribution():
    for (case, want), text in zip(DRAWN.items(), answers_to(list(DRAWN))):
        assert "error" not in text and abs(value_of(text) - want) < 0.12 * (1 + abs(want) / 4), f"{case}: {want}, {text}"


def test_what_numpy_refuses():
    for case, text in zip(REFUSED, answers_to(REFUSED)):
        assert text.startswith("error"), f"{case}: {text}"


def test_a_refusal_says_why_in_one_line():
    for (case, why), text in zip(WHY.items(), answers_to(list(WHY))):
        assert text.startswith("error: ") and why in text and text.count("\n") == 1, f"{case}: {text}"
