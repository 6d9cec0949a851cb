"""rlx normalize: done once is done, printed modules are in normal form already, StructInfo of names that stay is the same."""

import glob
import json
import os
import pathlib
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RLX = os.environ.get("RLX", str(ROOT / os.environ.get("BUILD", "build") / "rlx"))
CORPUS = ROOT.parent / "shared" / "corpus" / "relax"
OURS = sorted(glob.glob(str(ROOT / "examples/*.py")) + glob.glob(str(ROOT / "tests/golden/**/*.py"), recursive=True))


def rlx(*args, text=None, codes=(0, 1)):
    done = subprocess.run([RLX, *args], input=text, capture_output=True, timeout=60)
    assert done.returncode in codes, (args, done.stderr.decode())
    return done.stdout


def params_and_bindings(text):
    modules = json.loads(rlx("infer", "--format", "json", "-", text=text))["files"][0]["modules"]
    return [(b["name"], b["struct_info"]) for m in modules for f in m["functions"] for b in f["bindings"]]


def problem(path):
    text = pathlib.Path(path).read_bytes()
    once = rlx("normalize", "-", text=text)
    if rlx("normalize", "-", text=once) != once:
        return "twice is not once"
    if params_and_bindings(text) != params_and_bindings(once):
        return "StructInfo changed"
    return None


def problems(paths):
    with ThreadPoolExecutor(2) as pool:
        return {pathlib.Path(p).name: why for p, why in zip(paths, pool.map(problem, paths)) if why}


def test_ours():
    assert OURS
    assert not problems(OURS)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
def test_corpus():
    assert not problems(sorted(map(str, CORPUS.glob("as-written/*.py"))))


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
def test_printed_modules_are_in_normal_form():
    listed = map(pathlib.Path, rlx("normalize", "--check", str(CORPUS / "printed")).decode().split())
    # TVM's own tests of its well-formedness rule print three modules that are not.
    assert all(p.name.startswith("analysis_well_formed__") for p in listed)
