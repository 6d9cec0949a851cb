#!/usr/bin/env python3
"""Transcripts of the REPL: cases/NAME.in is its input, cases/NAME.out what it printed, cases/NAME.d/ files to read; and conversations at a terminal
(terminal.py). usage: run.py [--update]"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import piped
import terminal
import terminal_lines
import terminal_look
import terminal_rough
import terminal_session
import terminal_values

HERE = pathlib.Path(__file__).resolve().parent
RLX = os.environ.get("RLX") or str(HERE.parent.parent / os.environ.get("BUILD", "build") / "rlx")


def main():
    if not (pathlib.Path(RLX).parent / "librlx-llvm.so").exists():
        print("skipped: no librlx-llvm.so\n0 passed, 0 failed, 1 skipped")
        return 0
    passed = failed = 0
    for case in sorted((HERE / "cases").glob("*.in")):
        with tempfile.TemporaryDirectory() as folder:  # a case may write files, and read them again
            if case.with_suffix(".d").is_dir():
                shutil.copytree(case.with_suffix(".d"), folder, dirs_exist_ok=True)
            done = subprocess.run([RLX, "repl", "--keep-going"], cwd=folder, input=case.read_bytes(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        got = done.stdout.decode() + f"exit {done.returncode}\n"
        golden = case.with_suffix(".out")
        if "--update" in sys.argv:
            golden.write_text(got)
            continue
        if golden.exists() and got == golden.read_text():
            passed += 1
            continue
        failed += 1
        print(f"--- {case.name}: expected\n{golden.read_text() if golden.exists() else ''}--- got\n{got}")
    for name, problem in terminal.run(RLX, terminal.CASES | terminal_lines.CASES | terminal_look.CASES | terminal_rough.CASES | terminal_session.CASES | terminal_values.CASES):
        passed += not problem
        failed += bool(problem)
        if problem:
            print(f"--- terminal: {name}: {problem}")
    for name, problem in piped.run(RLX):
        passed += not problem
        failed += bool(problem)
        if problem:
            print(f"--- piped: {name}: {problem}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
