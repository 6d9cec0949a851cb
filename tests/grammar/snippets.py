#!/usr/bin/env python3
"""Compare the opinion of the analyzer's documents on snippets.txt with CPython's, which is written there.

usage: snippets.py     (BUILD=folder)
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import BUILD  # noqa: E402

here = pathlib.Path(__file__).resolve().parent
check = BUILD / "tests" / "grammar" / "parse_check"
escapes = {"n": "\n", "t": "\t", "f": "\f", "r": "\r", "0": "\0", "\\": "\\"}

lines = [line for line in (here / "snippets.txt").read_text().split("\n") if line[:1] in ("+", "-")]
failed = 0
with tempfile.TemporaryDirectory() as folder:
    paths = []
    for i, line in enumerate(lines):
        paths.append(os.path.join(folder, f"{i}.py"))
        text = re.sub(r"\\(.)", lambda m: escapes[m[1]], line[1:])
        pathlib.Path(paths[-1]).write_bytes(text.encode() + b"\n")
    run = subprocess.run([check, "--document", *paths], capture_output=True, text=True, check=True)
    for line, answer in zip(lines, run.stdout.splitlines(), strict=True):
        if (line[0] == "+") != (answer.split()[0] == "0"):
            failed += 1
            print(("rejected: " if line[0] == "+" else "accepted: ") + line[1:])
print(f"{len(lines) - failed} passed, {failed} failed, 0 skipped")
sys.exit(1 if failed else 0)
