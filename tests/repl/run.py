#!/usr/bin/env python3
"""Transcripts of the REPL: cases/NAME.in is its input, cases/NAME.out what it printed, cases/NAME.d/ files to read; and conversations at a terminal
(terminal.py). usage: run.py [--update]"""
import functools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import many
import piped
import terminal
import terminal_clauses
import terminal_lines
import terminal_look
import terminal_rough
import terminal_sched
import terminal_session
import terminal_values

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TERMINAL = (terminal, terminal_clauses, terminal_lines, terminal_look, terminal_rough, terminal_sched, terminal_session, terminal_values)


def table():
    """The rows of the table in README.md, each with the sessions that it names and that are not there, or None."""
    names = {module.__name__: module.CASES for module in TERMINAL}
    for row in re.findall(r"(?m)^\| (\d\.\d+) \| .* \| (.*) \|$", (HERE / "README.md").read_text()):
        missing = [case for case in re.findall(r"`(\w+\.in)`", row[1]) if not (HERE / "cases" / case).exists()]
        missing += [path for path in re.findall(r"`(tests/[\w./]+|\w+\.py)`", row[1]) if not (HERE.parents[1] / path).exists() and not (HERE / path).exists()]
        for module, cases in re.findall(r'(terminal\w*): ((?:"[^"]*"(?:, )?)+)', row[1]):
            missing += [case for case in re.findall(r'"([^"]*)"', cases) if case not in names.get(module, {})]
        is_covered = re.search(r"`|terminal", row[1])
        yield row[0], ", ".join(missing) or (None if is_covered else "no session at all")


def main():
    if not (pathlib.Path(RLX).parent / "librlx-llvm.so").exists():
        print("skipped: no librlx-llvm.so\n0 passed, 0 failed, 1 skipped")
        return 0
    passed = failed = 0
    for case in sorted((HERE / "cases").glob("*.in")):
        with tempfile.TemporaryDirectory() as folder:  # a case may write files, and read them again
            if case.with_suffix(".d").is_dir():
                shutil.copytree(case.with_suffix(".d"), folder, dirs_exist_ok=True)
            done = subprocess.run([RLX, "repl", "--keep-going"], cwd=folder, input=case.read_bytes(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
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
    for name, problem in terminal.run(RLX, functools.reduce(dict.__or__, (module.CASES for module in TERMINAL))):
        passed += not problem
        failed += bool(problem)
        if problem:
            print(f"--- terminal: {name}: {problem}")
    rows = list(table())
    for name, problem in rows if len(rows) > 60 else [("all", "the table has lost its rows")]:
        passed += not problem
        failed += bool(problem)
        if problem:
            print(f"--- README.md, row {name}: {problem}")
    for module in (piped, many):
        for name, problem in module.run(RLX):
            passed += not problem
            failed += bool(problem)
            if problem:
                print(f"--- {module.__name__}: {name}: {problem}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
