"""The values that run.sh, a part of `make check`, leaves out."""

import pathlib
import subprocess
import sys

RUN = pathlib.Path(__file__).resolve().parent / "run.py"


def test_lines_give_the_values_that_are_written_down():
    done = subprocess.run([sys.executable, str(RUN), "--rest"], capture_output=True, text=True, timeout=900, check=False)
    print(done.stdout[-8000:], done.stderr[-2000:])
    assert done.returncode == 0
