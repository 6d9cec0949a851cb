"""docs/tvm-errors.md holds: every program that TVM refuses is refused with a code that the table has for TVM's category."""

import json
import pathlib
import re
import subprocess

import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

ERRORS = ROOT.parent / "shared" / "corpus" / "relax" / "errors"


def table():
    rows = {}
    for line in (ROOT / "docs" / "tvm-errors.md").read_text().splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 4 and cells[2].startswith("RLX"):
            rows[cells[0]] = set(cells[2].split(", "))
    return rows


def test_codes_exist():
    known = set(re.findall(r'"(RLX\d{4})"', "".join(p.read_text() for p in (ROOT / "analyzer" / "diag").glob("diags*.def"))))
    rows = table()
    assert len(rows) > 10
    assert set().union(*rows.values()) <= known


def test_every_category_has_a_code_that_says_it():
    if not ERRORS.is_dir():
        pytest.skip("no corpus beside the repository")
    rows = table()
    files = sorted(str(p) for p in ERRORS.glob("*.py"))
    done = subprocess.run([RLX, "check", "--no-cache", "--format", "json", *files], capture_output=True, timeout=900)
    if done.returncode not in (0, 1):
        done = subprocess.run([RLX, "check", "--format", "json", *files], capture_output=True, timeout=900)
    wrong = []
    for entry in json.loads(done.stdout.decode().rstrip("\n").rsplit("\n", 1)[-1])["files"]:
        golden = json.loads(pathlib.Path(entry["file"]).with_suffix(".json").read_text())
        codes = {d["code"] for d in entry["diagnostics"] if d["severity"] == "error"}
        if golden["verdict"] != "ok" and not codes & rows.get(golden["error_category"], set()):
            wrong.append((golden["error_category"], pathlib.Path(entry["file"]).name, sorted(codes)))
    assert not wrong
