"""`x[…]` at the REPL's prompt, against numpy: indices made at random of integers, slices, None, `...`, tensors and masks. What numpy
refuses is refused, but for an index that is too large beside a slice that is empty: nobody looks at it."""

import ast
import os
import pathlib
import random
import re
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
RLX = os.environ.get("RLX", str(ROOT / os.environ.get("BUILD", "build") / "rlx"))
MARK = "123456"
ARRAYS = {name: np.arange(np.prod(shape)).reshape(shape) for name, shape in {"v": (5,), "x": (2, 3, 4), "m": (3, 4), "y": (2, 3, 2, 2)}.items()}
INDICES = {"one": 1, "row": [1, 0, -1], "column": [[0], [1]], "k2": [True, False], "k3": [True, False, True], "k4": [False, True, True, True],
           "k23": [[True, False, True], [False, False, True]], "k34": [[True, False, False, True], [False] * 4, [True] * 4]}
NAMES = ARRAYS | {name: np.array(value) for name, value in INDICES.items()}


def number(rng, extent):
    return rng.randint(-extent, extent - 1) if rng.random() < 0.95 else rng.randint(-extent - 2, extent + 2)


def piece(rng, extent):
    """One index of a dimension of that extent."""
    bound = lambda: "" if rng.random() < 0.4 else str(rng.randint(-extent - 2, extent + 2))
    kind = rng.random()
    if kind < 0.2:
        return str(number(rng, extent))
    if kind < 0.55:
        return bound() + ":" + bound() + rng.choice(["", "", ":", ":2", ":-1", ":-2", ":3"])
    if kind < 0.63:
        return "None"
    if kind < 0.72:
        return repr([number(rng, extent) for _ in range(rng.choice([1, 2, 2, 2]))])
    if kind < 0.78:
        return rng.choice(["row", "column", "one"])
    if kind < 0.88:
        return f"k{extent}" if extent < 5 else "row"
    return rng.choice(["k23", "k34", "row - 1", "x[0, 0, :2]", "k3 == k3", "m % 2 == 0", "...", "..."])


def expression(rng):
    name = rng.choice(list(ARRAYS))
    base, shape = (f"v[v > {rng.randint(0, 4)}]", (5,)) if rng.random() < 0.1 else (name, ARRAYS[name].shape)
    pieces, axis = [], 0
    for _ in range(rng.randint(1, len(shape) + 1)):
        pieces.append(piece(rng, shape[min(axis, len(shape) - 1)]))
        axis += pieces[-1] not in ("None", "...")
    return f"{base}[{', '.join(pieces)}]"


def answer(text):
    """The shape and the elements that were printed; None: an error."""
    found = re.fullmatch(r'([\s\S]*)# R\.Tensor\(\(([^)]*)\), dtype="int64"\)\n', text)
    if not found:
        return None
    shape = tuple(int(d) for d in found[2].replace(",", " ").split())
    return shape, ast.literal_eval(re.sub(r"(?<=[\d\]])\s+(?=[-\d\[])", ",", found[1].strip()).replace("\n", ""))


def test_random_indices():
    rng = random.Random(16)
    setup = [f"{name} = R.reshape(arange({value.size}), {value.shape})" for name, value in ARRAYS.items()]
    setup += [f"{name} = {value!r}" if name != "one" else 'one = R.const(1, "int64")' for name, value in INDICES.items()]
    cases = [expression(rng) for _ in range(400)]
    lines = setup + [line for case in cases for line in (case, f"R.const({MARK})")]
    done = subprocess.run([RLX, "repl", "--keep-going"], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=120)
    answers = done.stdout.split(f'{MARK}\n# R.Tensor((), dtype="int32")\n')
    assert len(answers) == len(cases) + 1
    right = 0
    for case, text in zip(cases, answers):
        got = answer(text)
        try:
            want = eval(case, {}, NAMES)
        except IndexError:
            assert got is None or 0 in got[0], f"{case}: numpy refuses it, {text}"
            continue
        assert got is not None, f"{case}: {text}"
        assert got[0] == want.shape and (want.size == 0 or got[1] == want.tolist()), f"{case}: {want.tolist()}, {text}"
        right += 1
    assert right > 200
