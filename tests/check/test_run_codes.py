"""Run-time diagnostics: the wrong example of each row ends with its code, the right one ends well."""

import os
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RLX = os.environ.get("RLX", str(ROOT / os.environ.get("BUILD", "build") / "rlx"))


def pages():
    text = (ROOT / "docs" / "diagnostics.md").read_text()
    for page in re.split(r"^## ", text, flags=re.M)[1:]:
        code = page.split()[0]
        if code.startswith("RLX08"):
            wrong, right = re.findall(r"```python\n(.*?)```", page, re.S)[:2]
            yield code, wrong, right


def run(script, folder):
    """As the first line of the script says."""
    command = shlex.split(script.splitlines()[0].removeprefix("# "))
    assert command[:3] == ["rlx", "run", "script.py"]
    (folder / "script.py").write_text(script)
    return subprocess.run([RLX, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("code,wrong,right", list(pages()))
def test_examples(code, wrong, right, tmp_path):
    done = run(wrong, tmp_path)
    assert done.returncode == 1 and f" error[{code}]: " in done.stderr
    done = run(right, tmp_path)
    assert done.returncode == 0 and done.stderr == ""


def test_there_are_such_rows():
    assert len(list(pages())) >= 7
