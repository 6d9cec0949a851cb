#!/usr/bin/env python3
"""Hold rlx against wheels of Apache TVM over values of a PrimFunc's script at places where they may stand.

usage: matrix.py RLX --python DIALECT=PYTHON… [--place NAME…] [--values FILE] [--count N] [--seed N] [--list N] [--keep DIR] [--jobs N]
                 [--max-alarm P] [--max-missed P]

Every line of matrix_values.txt is written at every place of matrix_places.txt, or a random sample of these scripts with --count. The wheel runs each as
Python does, and `rlx check` reads it. What one accepts and the other refuses is shown by place and value. TVM's answers are kept and not asked for again.
"""
import argparse
import hashlib
import json
import pathlib
import random
import sys
from collections import Counter

from wheel import ask

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "shared" / "conformance"))
IMPORTS = "from tvm.script import ir as I, relax as R, tirx as T\n"
SIGNATURE = "@T.prim_func(s_tir=True)\ndef f(A: T.Buffer((16, 16), 'float32'), B: T.Buffer((16,), 'int32'), h: T.handle, n: T.int32, m: T.int64):\n"
BLOCK = "    for i in range(16):\n        with T.sblock('b'):\n            {}\n            B[0] = 1\n"
AT_ONCE = 200  # scripts: answers are saved between


def lines_of(path):
    return [s for s in pathlib.Path(path).read_text(encoding="utf-8").splitlines() if s and not s.startswith("#")]


def script(kind, text, value):
    """The script with `value` at the place."""
    text = text.replace("\\n", "\n").replace("{}", value)
    if kind == "file":
        return IMPORTS + text + "\n"
    if kind == "block":
        return IMPORTS + SIGNATURE + BLOCK.format(text)
    return IMPORTS + SIGNATURE + "    " + text.replace("\n", "\n    ") + "\n"


def answers_of(python, dialect, texts, folder, jobs):
    """{text: None or TVM's error}, and the path of each text."""
    saved = folder / f"answers-{dialect}.json"
    known = json.loads(saved.read_text()) if saved.exists() else {}
    paths = {t: folder / f"{hashlib.md5(t.encode()).hexdigest()[:12]}.py" for t in texts}
    for t, p in paths.items():
        p.write_text(t, encoding="utf-8")
    new = [t for t in texts if t not in known]
    for start in range(0, len(new), AT_ONCE):
        part = new[start:start + AT_ONCE]
        answers = ask(python, {str(i): str(paths[t]) for i, t in enumerate(part)}, jobs)
        known.update({t: answers[str(i)]["error"] for i, t in enumerate(part)})
        saved.write_text(json.dumps(known))
    return known, paths


def judge(rlx, dialect, cases, known, paths, a):
    from lib import errors_of
    found = {}
    unique = sorted({str(paths[t]) for t in cases.values()})
    for start in range(0, len(unique), AT_ONCE):
        found.update(rlx.files("check", unique[start:start + AT_ONCE], "--isolated", "--no-cache", f"--dialect={dialect}"))
    total, shown = Counter(), []
    for (place, value), text in cases.items():
        error, errors = known[text], errors_of(found[str(paths[text])])
        if error == "crash" or (error or "").startswith("TimeoutError"):
            total["crash of TVM"] += 1
            continue
        total["accepted" if error is None else "refused"] += 1
        if errors is None or (error is None) != (not errors):
            verdict = "no answer" if errors is None else "false alarm" if error is None else "missed"
            total[verdict] += 1
            told = errors[0]["code"] + " " + errors[0]["message"][:90] if errors else (error or "")[:100]
            shown.append(f"{verdict}: {place}: {value}: {told}")
    print("\n".join(shown[:a.list]))
    alarm = 100.0 * (total["false alarm"] + total["no answer"]) / max(total["accepted"], 1)
    missed = 100.0 * total["missed"] / max(total["refused"], 1)
    print(f"{dialect}: " + ", ".join(f"{k} {v}" for k, v in total.most_common()))
    print(f"accepted {total['accepted']}, false alarm {alarm:.2f} %; refused {total['refused']}, missed {missed:.2f} %")
    return alarm > a.max_alarm or missed > a.max_missed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("--python", action="append", required=True, metavar="DIALECT=PYTHON")
    p.add_argument("--place", nargs="+", help="only these places")
    p.add_argument("--values", type=pathlib.Path, default=HERE / "matrix_values.txt")
    p.add_argument("--count", type=int, default=0, help="so many scripts by chance; 0: all")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--list", type=int, default=0, help="show so many disagreements")
    p.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/matrix"), help="where the scripts and TVM's answers are kept")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--max-alarm", type=float, default=100.0)
    p.add_argument("--max-missed", type=float, default=100.0)
    a = p.parse_args()
    from lib import Rlx
    places = [s.split("\t", 2) for s in lines_of(HERE / "matrix_places.txt")]
    all_cases = {(name, value): script(kind, text, value) for name, kind, text in places for value in lines_of(a.values) if not a.place or name in a.place}
    chosen = random.Random(a.seed).sample(sorted(all_cases), min(a.count, len(all_cases))) if a.count else list(all_cases)
    cases = {key: all_cases[key] for key in chosen}
    folder = a.keep.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    bad = 0
    for d in a.python:
        dialect, python = d.split("=", 1)
        known, paths = answers_of(python, dialect, sorted(set(cases.values())), folder, a.jobs)
        bad += judge(Rlx(a.rlx), dialect, cases, known, paths, a)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
