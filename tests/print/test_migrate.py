"""rlx migrate over the PrimFuncs of ../shared that are there in two dialects: each becomes the other, byte for byte but for comments;
a second run changes nothing, and what comes out has no other errors."""

import json
import pathlib
import shutil
import subprocess

import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

CORPUS = ROOT.parent / "shared" / "corpus" / "tir"
PAIRS = [(p, p.with_name(p.name.replace(".classic.py", ".py"))) for p in sorted(CORPUS.rglob("*.classic.py"))]


def run(*args):
    return subprocess.run([RLX, *map(str, args)], capture_output=True, timeout=900)


def errors(dialect, files):
    done = run("check", "--isolated", "--dialect", dialect, "--format", "json", *files)
    return json.loads(done.stdout.decode().rstrip().rsplit("\n", 1)[-1])["summary"]["errors"]


def words(path):
    """Without comments, the printer's note on the root block is one, and without s_tir=True, which four PrimFuncs with blocks lack;
    one of 0.25 has an attribute's old key."""
    text = path.read_text().replace("(s_tir=True)", "").replace(", s_tir=True", "").replace('"tir.', '"tirx.')
    return [line for line in text.split("\n") if not line.lstrip().startswith("#")]


@pytest.mark.skipif(not PAIRS, reason="no corpus beside the repository")
@pytest.mark.parametrize("to", ["0.25", "classic"])
def test_each_dialect_becomes_the_other(tmp_path, to):
    copies = []
    for i, (classic, new) in enumerate(PAIRS):
        source, wanted = (classic, new) if to == "0.25" else (new, classic)
        copies.append((tmp_path / f"{i}.py", source, wanted))
        shutil.copyfile(source, copies[-1][0])
    files = [copy for copy, _, _ in copies]
    assert run("migrate", "--isolated", "--to", to, "--write", *files).returncode == 0
    assert [s.name for copy, s, wanted in copies if words(copy) != words(wanted)] == []
    again = run("migrate", "--isolated", "--to", to, "--check", *files)
    assert again.returncode == 0 and not again.stdout
    # This one lacks the s_tir=True that its blocks need in 0.25, and migrating adds it.
    told = [copy for copy in copies if "error_undeclared_buffer_in_schedulable_tir" not in str(copy[1])]
    assert errors(to, [copy for copy, _, _ in told]) == errors(to, [wanted for _, _, wanted in told])
