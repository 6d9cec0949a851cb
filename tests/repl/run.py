#!/usr/bin/env python3
"""Transcripts of the REPL: cases/NAME.in is its input, cases/NAME.out what it printed, cases/NAME.d/ files to read; and conversations at a terminal
(terminal.py). usage: run.py [--update] [WORD…]: those alone whose names hold one of the words"""
import concurrent.futures
import os
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


def session(name):
    """What is wrong with what cases/NAME.in prints; with --update nothing is, and it becomes what is expected."""
    case = HERE / "cases" / name
    with tempfile.TemporaryDirectory() as folder:  # a case may write files, and read them again
        if case.with_suffix(".d").is_dir():
            shutil.copytree(case.with_suffix(".d"), folder, dirs_exist_ok=True)
        done = subprocess.run([RLX, "repl", "--keep-going"], cwd=folder, input=case.read_bytes(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
    got = done.stdout.decode() + f"exit {done.returncode}\n"
    golden = case.with_suffix(".out")
    if "--update" in sys.argv:
        golden.write_text(got)
        return None
    expected = golden.read_text() if golden.exists() else ""
    return None if got == expected else f"expected\n{expected}--- got\n{got}"


def conversation(name):
    """What is wrong with a conversation at a terminal."""
    return terminal.talk(RLX, next(module.CASES[name] for module in TERMINAL if name in module.CASES))


def one(task):
    """A kind of sessions, the name of one and what is wrong with it."""
    kind, name = task
    return kind, name, {"case": session, "terminal": conversation, "piped": lambda n: piped.run(RLX, n), "many": lambda n: many.among_others(RLX, n)}[kind](name)


def main():
    if not (pathlib.Path(RLX).parent / "librlx-llvm.so").exists():
        print("skipped: no librlx-llvm.so\n0 passed, 0 failed, 1 skipped")
        return 0
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    tasks = [("terminal", name) for module in TERMINAL for name in module.CASES]
    tasks += [("many", name) for name in many.CASES] + [("piped", name) for name in piped.CASES]
    if "--update" in sys.argv:
        tasks = []
    tasks += [("case", case.name) for case in sorted((HERE / "cases").glob("*.in"))]
    tasks = [task for task in tasks if not words or any(word in task[1] for word in words)]
    with concurrent.futures.ProcessPoolExecutor(int(os.environ.get("RLX_TEST_JOBS") or os.cpu_count())) as workers:
        results = list(workers.map(one, tasks))
    rows = [] if words else list(table())
    results += [("README.md, row", name, problem) for name, problem in (rows if len(rows) > 60 or words else [("all", "the table has lost its rows")])]
    for kind, name, problem in results:
        if problem:
            print(f"--- {kind}: {name}: {problem}")
    failed = sum(1 for result in results if result[2])
    print(f"{len(results) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
