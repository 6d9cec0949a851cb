#!/usr/bin/env python3
"""Values of operators against those that are written down (cases.py says how and where they come from).

usage: run.py [--write] [--part | --rest] [FILE…]

--write prints the lines with rlx's values, for comparing. --part takes one line of seven, for `make check`; --rest the others, for
`make test` (test_lines.py).
"""
import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from cases import differs, read, written

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

PART = 7
HERE = pathlib.Path(__file__).resolve().parent


def flat(x):
    return [v for y in x for v in flat(y)] if isinstance(x, list) else [x]


def ask(case, folder):
    """What rlx says: a list of lists of results, one for each form, or a text."""
    path = folder / (case.where.replace(":", "_") + ".py")
    path.write_text(case.program())
    command = [RLX, "run", "--isolated", "--format=json", f"{path}::main"] + [f"{p.name}={p.literal()}" for p in case.params]
    # A shape with a 0 has no literal: such parameters come from a file of their own.
    for i, p in enumerate(case.params):
        if 0 in p.shape:
            command[len(command) - len(case.params) + i] = f"{p.name}={'x'.join(map(str, p.shape))}:{p.dtype}:zeros"
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if done.returncode:
        return done.stderr.replace(str(path), path.name) or f"exit {done.returncode}"
    outputs = [(o["shape"], o["dtype"], flat(o["data"])) for o in json.loads(done.stdout)["outputs"]]
    each = len(outputs) // len(case.forms)
    return [outputs[i * each:(i + 1) * each] for i in range(len(case.forms))]


def judge(case, folder):
    if case.answer == "?":
        return "no answer is written down: tests/tvm/values.py --fill asks TVM or numpy"
    said = ask(case, folder)
    if case.answer.startswith("error"):
        wanted = case.answer[6:]
        return None if isinstance(said, str) and wanted in said else f"said: {said}"
    if isinstance(said, str):
        return said.strip()
    for form, got in zip(case.forms, said):
        why = differs(got, case.results())
        if why:
            return f"{form}: {why}"
    return None


def main():
    files = [pathlib.Path(a) for a in sys.argv[1:] if not a.startswith("--")] or sorted(HERE.glob("*.txt"))
    cases = [c for f in files for c in read(f)]
    if "--part" in sys.argv:
        cases = cases[::PART]
    if "--rest" in sys.argv:
        cases = [c for i, c in enumerate(cases) if i % PART]
    failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(folder)
        if "--write" in sys.argv:
            for case, said in zip(cases, pool.map(lambda c: ask(c, folder), cases)):
                print(case.where, case.call, "=>", said if isinstance(said, str) else written(said[0]))
            return 0
        for case, why in zip(cases, pool.map(lambda c: judge(c, folder), cases)):
            if why:
                failed += 1
                print(f"FAILED {case.where}: {case.call}\n  {why}")
    print(f"{len(cases) - failed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
