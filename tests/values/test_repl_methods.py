"""Methods of tensors at the REPL's prompt, and Python's functions on them, against numpy."""

import ast
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
CASES += ["x.cumsum(0)", "x.cumsum()", "m.cumsum(axis=1)", "n.cumprod(1)", "x.clip(0, 4)", "x.round()", "n.repeat(2, axis=0)", "x.dot(x.T)", "n.astype('float32').dot([1.0, 2.0, 3.0])",
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
REFUSED = ["not m", "m and m", "x > 1 and x < 3", "1 < x < 3", "x if m else n", "x.item()", "float(x)", "max(n)", "x.reshape(4, 2)", "x.sum(2)", "x.swapaxes(0, 2)", "x.nothing()", "x.tolist()"]


def answers_to(entries):
    lines = [f"{name} = {value}" for name, value in SETUP.items()] + [line for entry in entries for line in (entry, f"R.const({MARK})")]
    done = subprocess.run([RLX, "repl", "--keep-going"], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=900)
    answers = done.stdout.split(f'{MARK}\n# R.Tensor((), dtype="int32")\n')
    assert len(answers) == len(entries) + 1
    return answers[:-1]


def value_of(text):
    """The value that was printed, as numbers, without its StructInfo."""
    body = re.sub(r"(?m)^# .*\n", "", text).replace("R.shape(", "(").strip()
    return np.array(ast.literal_eval(re.sub(r"(?<=[\d\].e])\s+(?=[-\d\[])", ",", re.sub(r"(?<=e)\s+(?=[TF])", ",", body)).replace("\n", "")))


def test_as_numpy_has_them():
    for case, text in zip(CASES + FORMULAS, answers_to(CASES + FORMULAS)):
        assert "error" not in text, f"{case}: {text}"
        want = np.array(eval(case, {"np": np}, NAMES))
        got = value_of(text)
        assert got.shape == want.shape and np.allclose(got, want, rtol=1e-5), f"{case}: {want.tolist()}, {text}"


def test_what_numpy_refuses():
    for case, text in zip(REFUSED, answers_to(REFUSED)):
        assert text.startswith("error"), f"{case}: {text}"
