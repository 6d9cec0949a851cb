"""rlx print: printing what was printed gives it again, and TVM's own prints come out as they are.

The corpora of ../shared take part where they are laid out. The shares are the figures reached; they only go up.
"""

import glob
import pathlib
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

CORPUS = ROOT.parent / "shared" / "corpus" / "relax"
# Programs that are wrong on purpose (golden/rules, golden/cascades) may lose what no meaning could be found for.
OURS = sorted(glob.glob(str(ROOT / "examples/*.py")) + [p for p in glob.glob(str(ROOT / "tests/golden/**/*.py"), recursive=True)
                                                          if "golden/rules" not in p and "golden/cascades" not in p])
# Types that mention themselves grow with every reading; a literal tuple that is indexed is folded by the first one.
SAME_AFTER_READING = 0.997
SAME_AS_TVM = 0.994  # the rest: docs/differences.md


def rlx_print(*args, text=None):
    done = subprocess.run([RLX, "print", *args], input=text, capture_output=True, timeout=900)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout


def is_stable(path, *options):
    once = rlx_print(path, *options)
    return once == rlx_print("-", *options, text=once)


def share(paths, holds):
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(holds, paths))
    failed = [pathlib.Path(p).name for p, fine in zip(paths, answers) if not fine]
    return 1 - len(failed) / len(paths), failed


# A function that another dialect refuses, or knows more of, is another program in that dialect; a symbolic variable that has
# no value is another variable wherever it is printed.
OF_0_27 = [pathlib.Path(p).name for p in OURS if p.endswith("_0_27.py")]
ONLY_IN_ITS_DIALECT = {"classic": OF_0_27, "0.25": OF_0_27, "0.27": ["unbound_symbols.py", "narrow_lengths.py", "signatures_0_27.py"]}


@pytest.mark.parametrize("dialect", ["classic", "0.25", "0.27"])
def test_ours_print_again_as_printed(dialect):
    assert OURS
    files = [p for p in OURS if pathlib.Path(p).name not in ONLY_IN_ITS_DIALECT[dialect]]
    got, failed = share(files, lambda p: is_stable(p, f"--dialect={dialect}"))
    assert not failed


@pytest.mark.parametrize("annotate", ["missing", "none"])
def test_ours_print_again_with_fewer_annotations(annotate):
    # A wrong annotation that is left out leaves another program, whose result is known; without one that hides what the value is,
    # more is known.
    right = [p for p in OURS if pathlib.Path(p).name not in ("mistakes.py", "shape_computation.py", "late_2022.py", *OF_0_27)]
    got, failed = share(right, lambda p: is_stable(p, f"--annotate={annotate}"))
    assert not failed


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
@pytest.mark.parametrize("dialect", ["0.25", "0.27"])
def test_corpus_prints_again_as_printed(dialect):
    got, failed = share(sorted(map(str, CORPUS.glob("as-written/*.py"))), lambda p: is_stable(p, f"--dialect={dialect}"))
    assert got >= SAME_AFTER_READING, failed


def without_header(text):
    lines = text.split("\n")
    start = 0
    while start < len(lines) and (not lines[start] or lines[start].startswith(("from ", "import ", "# from "))):
        start += 1
    return "\n".join(lines[start:]).strip()


ARRAYS = """from tvm.script import ir as I, relax as R
import numpy as np
TABLE = np.array([[5.0, 6.0]], dtype=np.float32)
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2), "float32")):
        a = R.permute_dims(R.const(np.array([[1.0], [2.0]], dtype=np.float32)), axes=None)
        b = R.add(R.const(np.asarray([[3.0, 4.0]]).astype("float32")), x)
        c = R.const(np.float32(7.0))
        d = R.add(x, R.const(TABLE))
        e = R.const(np.array([True, False]))
        return (a, b, c, d, e)
"""


def test_arrays_are_printed_with_their_numbers():
    bound = [line.split(" = ", 1) for line in rlx_print("-", text=ARRAYS.encode()).decode().splitlines() if " = " in line]
    assert {name.split(":")[0].strip(): value for name, value in bound} == {
        "a": 'R.permute_dims(R.const([[1.0], [2.0]], "float32"), axes=None)',
        "b": 'R.add(R.const([[3.0, 4.0]], "float32"), x)',
        "c": 'R.const(7.0, "float32")',
        "d": 'R.add(x, R.const([[5.0, 6.0]], "float32"))',
        "e": 'R.const([True, False], "bool")',
    }


CONTRADICTED = b"""from tvm.script import relax as R
@R.function
def f(x: R.Tensor((2, 3), "float32")) -> R.Tensor((3,), "float32"):
    return R.sum(x, axis=1)
"""


def test_a_body_that_contradicts_the_result_is_printed():
    printed = rlx_print("-", text=CONTRADICTED).decode()
    assert 'def f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((3,), dtype="float32"):' in printed
    assert 'gv: R.Tensor((2,), dtype="float32") = R.sum(x, axis=[1], keepdims=False)' in printed


def threads(n):
    """A PrimFunc of n threads, each bound below what the one before it does: TVM prints each within the last."""
    return ("from tvm.script import tir as T\n@T.prim_func\ndef f(A: T.Buffer((64,), 'float32')):\n" + "".join(
        f"    t{i} = T.launch_thread('threadIdx.x', 64)\n    A[t{i}] = T.float32({i})\n" for i in range(n))).encode()


@pytest.mark.parametrize("dialect", ["classic", "0.25", "0.27"])
def test_what_would_stand_deeper_than_python_reads_keeps_its_words(dialect):
    for n, deepest in ((98, 98), (99, 99), (100, 1), (3000, 1)):
        once = rlx_print("-", f"--dialect={dialect}", text=threads(n))
        assert max(len(line) - len(line.lstrip()) for line in once.splitlines()) == 4 * deepest
        assert once.count(b"T.launch_thread(") == n
        assert once == rlx_print("-", f"--dialect={dialect}", text=once)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
def test_tvm_prints_come_out_as_they_are():
    def same(path):
        return without_header(pathlib.Path(path).read_text()) == without_header(rlx_print(path).decode())

    got, failed = share(sorted(map(str, CORPUS.glob("printed/*.py"))), same)
    assert got >= SAME_AS_TVM, failed


def test_a_dtype_that_a_call_says_stays():
    text = '''from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float64")):
    with T.block("b"):
        vi = T.axis.spatial(1, 0)
        B[vi] = T.someday(A[vi], dtype="float64")
        T.evaluate(T.ptx_commit_group(dtype=""))
        T.evaluate(T.later(dtype="int32"))
'''
    for dialect in ("classic", "0.25", "0.27"):
        printed = rlx_print("-", f"--dialect={dialect}", text=text.encode()).decode()
        assert 'T.someday(A[vi], dtype="float64")' in printed and 'T.later(dtype="int32")' in printed, printed
        assert "T.ptx_commit_group()" in printed or 'T.ptx_commit_group(dtype="")' in printed, printed
