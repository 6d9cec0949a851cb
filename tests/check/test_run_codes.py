"""Diagnostics of evaluation and of schedules: the wrong example of each row ends with its code, the right one ends well."""

import pathlib
import re
import shlex
import subprocess

import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402



def pages():
    text = (ROOT / "docs" / "diagnostics.md").read_text()
    for page in re.split(r"^## ", text, flags=re.M)[1:]:
        code = page.split()[0]
        if code.startswith(("RLX07", "RLX08")):
            wrong, right = re.findall(r"```python\n(.*?)```", page, re.S)[:2]
            yield code, wrong, right


def run(example, folder):
    """As the first line of the example says; a trace stands behind the script."""
    command = shlex.split(example.splitlines()[0].removeprefix("# "))
    assert command[:3] in (["rlx", "run", "script.py"], ["rlx", "schedule", "script.py"])
    script, _, trace = example.partition("\n# ---- trace.py\n")
    (folder / "script.py").write_text(script)
    (folder / "trace.py").write_text(trace)
    done = subprocess.run([RLX, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=900)
    return done.returncode, done.stderr if command[1] == "run" else done.stdout + done.stderr


@pytest.mark.parametrize("code,wrong,right", list(pages()))
def test_examples(code, wrong, right, tmp_path):
    exit_code, text = run(wrong, tmp_path)
    assert exit_code and f" error[{code}]: " in text
    exit_code, text = run(right, tmp_path)
    assert exit_code == 0 and " error[" not in text


def test_there_are_such_rows():
    assert len(list(pages())) >= 7
