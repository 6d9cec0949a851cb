#!/usr/bin/env python3
"""What TVM and rlx say of one statement in a PrimFunc, or in a Relax function.

usage: run.py [--relax] RLX | run.py [--relax] --ask PYTHON_0_25 PYTHON_0_27

A line of statements.txt is: what TVM 0.25 says, what 0.27 says (`ok` or `no`), a statement. A statement behind `B|` stands in a block; in a Relax
function ` ; ` parts statements. Where rlx knows better, or TVM's answer is an accident, `~` stands before the answer. --ask prints the lines with the
answers of these wheels. --relax takes the lines of tests/relax.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE.parent / "relax" if "--relax" in sys.argv else HERE
HEADER = """from tvm.script import ir as I, relax as R, tirx as T
@T.prim_func(s_tir=True)
def f(A: T.Buffer((16, 16), 'float32'), B: T.Buffer((16,), 'int32'), h: T.handle, n: T.int32, m: T.int64):
"""


RELAX = """from tvm.script import ir as I, relax as R, tirx as T
@R.function
def f(x: R.Tensor((2, 3), 'float32'), s: R.Shape(['n']), q: R.Prim('int64')):
"""


def script(statement):
    if CASES.name == "relax":
        lines = statement.split(" ; ")
        return RELAX + "".join(f"    {line}\n" for line in lines + (["return x"] if not lines[-1].startswith("return") else []))
    inside = statement.startswith("B| ")
    return HEADER + ("    with T.sblock('b'):\n        " + statement[3:] if inside else "    " + statement) + "\n"


def rows():
    for line in (CASES / "statements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            old, new, statement = line.split(None, 2)
            yield old, new, statement


def ask(pythons):
    sys.path.insert(0, str(HERE.parent / "tvm"))
    from wheel import ask as ask_wheel
    found = list(rows())
    with tempfile.TemporaryDirectory() as folder:
        paths = {str(i): pathlib.Path(folder) / f"s{i}.py" for i in range(len(found))}
        for i, (_, _, statement) in enumerate(found):
            paths[str(i)].write_text(script(statement), encoding="utf-8")
        answers = [ask_wheel(p, paths) for p in pythons]
    for i, row in enumerate(found):
        told = ["ok" if a[str(i)]["error"] is None else "no" for a in answers]
        print(" ".join("~" * row[k].startswith("~") + told[k] for k in range(2)), row[2])


def check(rlx):
    found, failed = list(rows()), 0
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(pathlib.Path(folder) / f"s{i}.py") for i in range(len(found))]
        for path, row in zip(paths, found):
            pathlib.Path(path).write_text(script(row[2]), encoding="utf-8")
        for k, dialect in enumerate(("0.25", "0.27")):
            done = subprocess.run([rlx, "check", "--format=json", "--isolated", "--no-cache", f"--dialect={dialect}", *paths], capture_output=True, text=True)
            answers = {f["file"]: [d for d in f["diagnostics"] if d["severity"] == "error"] for f in json.loads(done.stdout)["files"]}
            for path, row in zip(paths, found):
                wanted, errors = row[k], answers[path]
                says = "no" if errors else "ok"
                if (says == wanted.lstrip("~")) == wanted.startswith("~"):
                    failed += 1
                    print(f"FAILED {dialect}: {row[2]}: expected {wanted}, rlx says {says}" + (f": {errors[0]['code']} {errors[0]['message']}" if errors else ""))
    print(f"{2 * len(found) - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    words = [w for w in sys.argv[1:] if w != "--relax"]
    sys.exit(ask(words[1:]) if words[0] == "--ask" else check(words[0]))
