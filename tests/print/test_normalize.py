"""rlx normalize: modules that TVM prints come out as they are. (The properties are in tests/prop/rewrite_normalize_corpus.c.)"""

import pathlib
import subprocess

import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

CORPUS = ROOT.parent / "shared" / "corpus" / "relax"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
def test_printed_modules_are_in_normal_form():
    done = subprocess.run([RLX, "normalize", "--check", str(CORPUS / "printed")], capture_output=True, timeout=900)
    assert done.returncode in (0, 1), done.stderr.decode()
    # TVM's own tests of its well-formedness rule print three modules that are not.
    assert all(pathlib.Path(line).name.startswith("analysis_well_formed__") for line in done.stdout.decode().split())
