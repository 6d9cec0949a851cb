"""What the scripts beside this share: the program, a script that has something to fix, normalize and migrate, and the counting."""
import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402, F401

HANG = 900  # seconds: what has not ended then hangs, however slow or busy the machine is
SCRIPT = """from tvm.script import ir as I, relax as R, tir as T
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.add(R.multiply(x, x), x)
        z = R.add(y, y)
        R.output(y, z)
    return z
@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("A"):
            v = T.axis.spatial(4, i)
            A[v] = T.float32(1)
"""
results = []


def check(name, holds, about=""):
    results.append(bool(holds))
    if not holds:
        print(f"FAILED {name}: {about}")


def preloading(library):
    """What a program's environment needs for it: LD_PRELOAD takes no path with a space in it."""
    folder, name = os.path.split(library)
    return {"LD_PRELOAD": name, "LD_LIBRARY_PATH": ":".join(filter(None, (folder, os.environ.get("LD_LIBRARY_PATH"))))}


def report():
    """Prints the counts; returns whether something failed."""
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed, 0 skipped")
    return not all(results)
