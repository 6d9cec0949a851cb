"""rlx print --shape-functions: what is printed runs, and gives the shape that the function's own result has."""

import json
import pathlib
import subprocess

import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import BUILD, RLX, ROOT  # noqa: E402

MODEL = str(ROOT / "tests/cli/shapes.d/model.py")


def rlx(*args):
    done = subprocess.run([RLX, *args], capture_output=True, text=True, timeout=900)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not (BUILD / "librlx-llvm.so").exists(), reason="no LLVM")
def test_shape_function_gives_the_shape_of_the_result(tmp_path):
    code, text, _ = rlx("print", "--shape-functions", MODEL)
    assert code == 0
    shapes = tmp_path / "shapes.py"
    shapes.write_text(text)
    code, answer, error = rlx("run", f"{shapes}::linear_shape", "x=[3, 4]", "w=[4, 5]")
    assert code == 0, error
    code, result, error = rlx("run", f"{MODEL}::linear", "x=3x4:float32:random(1)", "w=4x5:float32:random(2)", "b=2:float32:random(1)", "--format", "json")
    assert code == 0, error
    shape = json.loads(result.splitlines()[-1])["outputs"][0]["shape"]
    assert answer.splitlines()[0] == f"R.shape({shape})"


@pytest.mark.skipif(not (BUILD / "librlx-llvm.so").exists(), reason="no LLVM")
def test_shapes_that_do_not_fit_are_refused(tmp_path):
    shapes = tmp_path / "shapes.py"
    shapes.write_text(rlx("print", "--shape-functions", MODEL)[1])
    code, _, error = rlx("run", f"{shapes}::linear_shape", "x=[3, 4]", "w=[6, 5]")
    assert code == 1 and "expected k = 4" in error


def test_it_checks_clean(tmp_path):
    for dialect in ("classic", "0.25", "0.27"):
        shapes = tmp_path / f"{dialect}.py"
        shapes.write_text(rlx("print", "--shape-functions", "--dialect", dialect, MODEL)[1])
        code, text, _ = rlx("check", "--show", "hint", str(shapes))
        assert code == 0 and text.startswith("0 errors, 0 warnings"), text
