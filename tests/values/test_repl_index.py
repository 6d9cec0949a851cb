"""`x[…]` at the REPL's prompt, against numpy: indices made at random of integers, slices, None, `...`, tensors and masks; and `x[…] = v`.
What numpy refuses is refused."""

import ast
import pathlib
import random
import re
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

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


def answers_to(entries):
    """What is printed for each of the entries, a list of lines each."""
    setup = [f"{name} = R.reshape(arange({value.size}), {value.shape})" for name, value in ARRAYS.items()]
    setup += [f"{name} = {value!r}" if name != "one" else 'one = R.const(1, "int64")' for name, value in INDICES.items()]
    lines = setup + [line for entry in entries for line in (*entry, f"R.const({MARK})")]
    done = subprocess.run([RLX, "repl", "--keep-going"], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=900)
    answers = done.stdout.split(f'{MARK}\n# R.Tensor((), dtype="int32")\n')
    assert len(answers) == len(entries) + 1
    return answers[:-1]


def agrees(case, text, want):
    got = answer(text)
    assert got is not None, f"{case}: {text}"
    assert got[0] == want.shape and (want.size == 0 or got[1] == want.tolist()), f"{case}: {want.tolist()}, {text}"


def test_random_indices():
    rng = random.Random(16)
    cases = [expression(rng) for _ in range(400)]
    right = 0
    for case, text in zip(cases, answers_to([(case,) for case in cases])):
        try:
            want = eval(case, {}, NAMES)
        except IndexError:
            assert answer(text) is None, f"{case}: numpy refuses it, {text}"
            continue
        agrees(case, text, want)
        right += 1
    assert right > 200


def test_random_assignments():
    rng = random.Random(61)
    targets = [e for e in (expression(rng) for _ in range(400)) if " > " not in e.split("[")[1]][:300]
    # A value of the right shape, or of one that can be broadcast to it; a number; one that may not fit.
    values = ["7", "-1.9", "v[1]", "v[:1]", "[5, 6, 7]", "m[:, :1]", "v[v > 1]"]
    cases = [(t, rng.choice(["=", "=", "+="]), f"{t} * 10" if rng.random() < 0.4 else rng.choice(values)) for t in targets]
    entries = [(f"c = {t.split('[')[0]}", f"{'c' + t[t.index('['):]} {op} {value}", "c") for t, op, value in cases]
    right = 0
    for (target, op, value), entry, text in zip(cases, entries, answers_to(entries)):
        names = NAMES | {"c": NAMES[target.split("[")[0]].copy()}
        try:
            if op == "=":
                exec(entry[1], {}, names)
            else:  # numpy refuses to add floats to integers in place
                exec(f"c[...] = c; c{target[target.index('['):]} = c{target[target.index('['):]} + ({value})", {}, names)
        except IndexError:
            assert "error" in text, f"{entry[1]}: numpy refuses it, {text}"
            continue
        except (TypeError, ValueError):
            is_one = np.ndim(eval(target, {}, NAMES)) == 0
            assert "error" in text or is_one, f"{entry[1]}: numpy refuses it, {text}"  # one of one was fine for numpy before 2.0
            continue
        if "-1.9" in value and op == "+=":
            continue  # of integers and a float Relax makes no float
        agrees(entry[1], text, names["c"])
        right += 1
    assert right > 120
