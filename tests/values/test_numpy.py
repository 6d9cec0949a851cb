"""Arrays made with numpy in a script: shape, dtype and, where the analyzer has them, values are those that numpy gives.

numpy_expressions.cases holds an expression a line; `?` in front says that the analyzer does not know all of it. What it does know
must be right there, too, and where numpy raises the analyzer gives no dtype.
"""

import json
import pathlib
import random
import re
import subprocess
import warnings

import numpy as np
import pytest
import sys

sys.path += [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
from paths import RLX, ROOT  # noqa: E402
from numpy_random import expressions as random_expressions  # noqa: E402

SETUP = """import numpy as np

A = np.zeros((2, 3, 4), "float32")
B = np.ones((3, 1), np.int8)
C = np.arange(6).reshape(2, 3)
rng = np.random.default_rng(0)
state = np.random.RandomState(7)
"""
LINES = [line for line in (ROOT / "tests/values/numpy_expressions.cases").read_text().splitlines() if line and line[0] != "#"]
# R.const without a dtype makes these of numpy's wide defaults
NARROW = {"float64": "float32", "int64": "int32"}


def of_numpy(expression):
    names = {}
    exec(SETUP, names)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = np.asarray(eval(expression, names))
    except Exception:  # noqa: BLE001
        return None
    return list(value.shape), NARROW.get(str(value.dtype), str(value.dtype))


def of_rlx(expressions, folder):
    text = SETUP + "from tvm.script import relax as R\n"
    for i, expression in enumerate(expressions):
        text += f"\nV{i} = {expression}\n@R.function\ndef f{i}():\n    x = R.const(V{i})\n    y = R.const({expression})\n    return (x, y)\n"
    path = folder / "arrays.py"
    path.write_text(text)
    done = subprocess.run([RLX, "infer", "--format=json", str(path)], capture_output=True, text=True, timeout=900)
    functions = [f for m in json.loads(done.stdout)["files"][0]["modules"] for f in m["functions"]]
    return [[b["sinfo"] for b in f["bindings"]] for f in functions]


def test_shapes_and_dtypes(tmp_path):
    expressions = [line.removeprefix("? ") for line in LINES]
    wrong, known = [], 0
    for line, expression, answers in zip(LINES, expressions, of_rlx(expressions, tmp_path), strict=True):
        want = of_numpy(expression)
        for answer in answers:
            shape, dtype = answer.get("shape"), answer.get("dtype") or None
            whole = shape is not None and dtype is not None
            known += whole
            if want is None:
                fine = dtype is None
            else:
                fine = (shape is None or [int(d) for d in shape] == want[0]) and dtype in (None, want[1])
                fine = fine and (whole or line[0] == "?")
            if not fine:
                wrong.append(f"{expression}: {answer}, numpy: {want}")
    assert not wrong, "\n".join(wrong)
    assert known > 500


@pytest.mark.parametrize("expression", [
    "np.eye(3, 4, 1, dtype='float32')", "np.tri(3, k=-1)", "np.identity(2, 'int8')", "np.arange(2, 14).reshape(2, 3, 2).transpose(2, 0, 1)",
    "C.T", "np.moveaxis(np.arange(24).reshape(2, 3, 4), 0, -1)", "np.expand_dims(C, (0, 2))", "np.squeeze(np.arange(3).reshape(1, 3, 1))",
    "np.full_like(C, 7)", "np.ones_like(A)", "C.swapaxes(0, 1).ravel()", "np.arange(9, 0, -3)", "np.array(C, ndmin=4)"])
def test_values(expression, tmp_path):
    names = {}
    exec(SETUP, names)
    want = np.asarray(eval(expression, names))
    path = tmp_path / "values.py"
    path.write_text(f"{SETUP}from tvm.script import relax as R\n\nV = {expression}\n@R.function\ndef main():\n    x = R.const(V)\n    return x\n")
    done = subprocess.run([RLX, "run", f"{path}::main", "--format", "json"], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    out = json.loads(done.stdout.splitlines()[-1])["outputs"][0]
    assert out["shape"] == list(want.shape) and np.array_equal(np.array(out["data"]).reshape(want.shape), want)


def test_values_of_random_expressions(tmp_path):
    seed = random.randrange(10**6)
    print("seed", seed)
    taken = []
    for expression in random_expressions(seed):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = eval(expression, {"np": np})
        except Exception:  # noqa: BLE001
            continue
        if isinstance(value, np.ndarray | np.generic):
            taken.append((expression, np.asarray(value)))
        if len(taken) == 600:
            break
    path = tmp_path / "constants.py"
    path.write_text("import numpy as np\nfrom tvm.script import relax as R\n" + "".join(
        f"\n@R.function\ndef f{i}():\n    return R.const({expression})\n" for i, (expression, _) in enumerate(taken)))
    done = subprocess.run([RLX, "print", str(path)], capture_output=True, text=True, timeout=900)
    wrong, known = [], 0
    for i, text in re.findall(r'(?m)^def f(\d+)\(.*\n.*R\.const\((.*), "\w+"\)$', done.stdout):
        expression, value = taken[int(i)]
        if "np." in text:  # no values: as it is written
            continue
        known += 1
        want = value.astype(NARROW.get(str(value.dtype), value.dtype))
        got = np.array(eval(text))
        if (want.size and got.shape != want.shape) or not np.array_equal(got, want):
            wrong.append(f"{expression}: {text}, numpy: {want.tolist()}")
    assert not wrong, "\n".join(wrong)
    assert known > 300
