"""What operators give, against numpy: the inputs that tests/prop/operators.c makes of cases.txt, and the answers in that file.

RLX_INPUTS=200 takes so many inputs for each line instead of five.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import types

import numpy as np
import pytest

import reference

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import BUILD, ROOT  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = BUILD / "tests/prop/operators"
LINES = (HERE / "cases.txt").read_text().splitlines()
SUMS = re.compile("sum|prod|mod|mean|var|std|norm|matmul|attention|conv|pool|adaptive|softmax|scatter|put|nll|einsum|backward")
TOLERANCE = {"float64": 1e-9, "float32": 1e-4, "float16": 2e-2, "bfloat16": 6e-2}


def tensor(x):
    """An array of what the program wrote; a bfloat16 as float32."""
    if isinstance(x, list):
        return tuple(tensor(y) for y in x)
    if not isinstance(x, dict):
        return x
    raw = bytes.fromhex(x["hex"])
    if x["dtype"] == "bfloat16":
        return (np.frombuffer(raw, "uint16").astype("uint32") << 16).view("float32").reshape(x["shape"])
    return np.frombuffer(raw, x["dtype"]).reshape(x["shape"])


def dtypes(x):
    return [d for y in x for d in dtypes(y)] if isinstance(x, list) else [x["dtype"] if isinstance(x, dict) else None]


def is_empty(x):
    return all(map(is_empty, x)) if isinstance(x, list) else isinstance(x, dict) and 0 in x["shape"]


def flat(x):
    return [z for y in x for z in flat(y)] if isinstance(x, tuple) else [x]


def differs(got, want, dtype, scale):
    """Says in which way two results differ; None when they don't."""
    want = np.asarray(want)
    if np.shape(got) != want.shape:
        return f"shape {np.shape(got)}, numpy's is {want.shape}"
    got = np.asarray(got)
    if got.dtype.kind == "f":
        t = TOLERANCE[dtype]
        with np.errstate(all="ignore"):
            if dtype in ("float16", "bfloat16"):  # too large for it
                most = 65504.0 if dtype == "float16" else 3.3e38
                want = np.where(np.abs(want) >= most, np.sign(want) * np.inf, want)
                got = np.where(np.abs(got) >= most, np.sign(got) * np.inf, got)
            near = np.isclose(got.astype("float64"), want.astype("float64"), rtol=t, atol=t * scale, equal_nan=True)
    else:
        near = got == want
    if near.all():
        return None
    at = tuple(int(i) for i in np.argwhere(~near)[0]) if got.ndim else ()
    return f"{got[at]} at {at}, numpy's is {want[at]}"


def judge(case):
    """Says what is wrong with a result; None when nothing is, or nothing is known."""
    answer = LINES[case["line"] - 1].split(" | ", 2)[2]
    if answer == "-":
        return None
    names = {k: tensor(v) for k, v in case["operands"].items()}
    low = any(v["dtype"] == "bfloat16" for v in case["operands"].values())
    scale = max([1.0] + [float(np.abs(v[np.isfinite(v)]).max(initial=0)) for v in names.values() if v.dtype.kind == "f"])
    try:
        with np.errstate(all="ignore"):
            want = eval(answer, {**vars(reference), **names, "size": types.SimpleNamespace(**case["sizes"])})  # noqa: S307 - our own file
    except reference.NotComparable:
        return None
    except Exception as e:  # noqa: BLE001 - what numpy refuses, rlx may refuse or not
        if "result" in case and is_empty(case["result"]):
            return None  # nothing was read
        if "result" in case and "zero-size" not in str(e) and "empty" not in str(e):
            return f"is evaluated, numpy refuses: {type(e).__name__}: {e}"
        return None
    if case["class"] == "huge" and scale > 1e4 and SUMS.search(answer):
        return None  # overflows by the order of additions
    if "error" in case:
        return f"is refused: {case['error']}" if case["class"] in ("ordinary", "special") else None
    got, want = flat(tensor(case["result"])), flat(want)
    if len(got) != len(want):
        return f"{len(got)} results, numpy has {len(want)}"
    for g, w, d in zip(got, want, dtypes(case["result"]) if isinstance(case["result"], list) else [case["result"]["dtype"]]):
        if d and d != "bfloat16" and not low and isinstance(w, np.ndarray | np.generic) and str(w.dtype) != d:
            w = np.asarray(w).astype(d) if w.dtype.kind == "f" and np.dtype(d).kind == "f" else w
        text = differs(g, w, d, scale)
        if text:
            return text
    return None


@pytest.fixture(scope="session")
def cases(tmp_path_factory):
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    path = tmp_path_factory.mktemp("operators") / "dump"
    subprocess.run([PROGRAM], cwd=ROOT, env={**os.environ, "RLX_DUMP": str(path)}, capture_output=True, timeout=6000, check=False)
    with open(path) as lines:
        return [json.loads(line) for line in lines]


def test_results_are_those_of_numpy(cases):
    wrong = {}
    for case in cases:
        text = judge(case)
        if text:
            wrong.setdefault(case["line"], []).append(text + "\n" + case["note"])
    for line, texts in sorted(wrong.items()):
        print(f"{len(texts)} wrong: {LINES[line - 1]}\n{texts[0]}")
    assert len(cases) > 1000
    assert not wrong
