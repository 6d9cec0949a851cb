"""rlx normalize over all scripts: the properties (tests/prop/rewrite_normalize_corpus.c) without a sample, and modules that TVM prints come
out as they are."""

import os
import pathlib
import subprocess

import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import BUILD, RLX, ROOT  # noqa: E402

CORPUS = ROOT.parent / "shared" / "corpus" / "relax"


def test_normal_forms_of_all_scripts():
    program = BUILD / "tests" / "prop" / "rewrite_normalize_corpus"
    done = subprocess.run([str(program)], cwd=ROOT, env={**os.environ, "RLX_WHOLE": "1"}, capture_output=True, timeout=1800)
    assert done.returncode == 0, done.stdout.decode()[-4000:]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
def test_printed_modules_are_in_normal_form():
    done = subprocess.run([RLX, "normalize", "--check", str(CORPUS / "printed")], capture_output=True, timeout=900)
    assert done.returncode in (0, 1), done.stderr.decode()
    # TVM's own tests of its well-formedness rule print three modules that are not.
    assert all(pathlib.Path(line).name.startswith("analysis_well_formed__") for line in done.stdout.decode().split())
