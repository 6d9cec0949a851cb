#!/usr/bin/env python3
"""Command-line transcripts: `tests/cli/*.txt`, text in, text out.

    tests/cli/run.py [--update] [FILE…]     (RLX=program, called rlx, or BUILD=folder)

A transcript is a shell session: a line `$ COMMAND` (run by sh in a copy of the transcript's folder of files, with that
`rlx` on the PATH), then what it prints on standard output and error, then `[N]` when it exits with N other than 0. Lines
that start with `# ` before the first command say what it is about. `--update` writes the answers anew.
Files named `NAME.d/` beside `NAME.txt` are there to use; the repository's examples are at `$EXAMPLES`. A transcript
whose first line is `# needs: run lsp …` is skipped while a command is not there. `...` at the end of an expected line
stands for the rest of it. The closing line is `N passed, N failed, N skipped`. Standard library only.
"""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

HERE = ROOT / "tests" / "cli"


def run(command, cwd):
    env = dict(os.environ, PATH=f"{pathlib.Path(RLX).parent}:{os.environ['PATH']}", EXAMPLES=str(ROOT / "examples"), NO_COLOR="1", XDG_CACHE_HOME=str(cwd / ".cache"),
               LC_ALL="C.UTF-8")
    try:
        done = subprocess.run(["sh", "-c", command], cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
        text, code = done.stdout.decode("utf-8", "replace"), done.returncode
    except subprocess.TimeoutExpired:
        text, code = "it does not end\n", 124
    out = text.replace(str(ROOT / "examples"), "$EXAMPLES").split("\n")
    if out and out[-1] == "":
        out.pop()
    return out + ([f"[{code}]"] if code else [])


def same(want, got):
    return len(want) == len(got) and all(
        g == w or (w.endswith("...") and g.startswith(w[:-3])) for w, g in zip(want, got))


def replay(path):
    """The transcript as expected and as it is now (keeping `...` lines that still hold)."""
    want = path.read_text(encoding="utf-8").split("\n")
    if want and want[-1] == "":
        want.pop()
    now = []
    with tempfile.TemporaryDirectory() as tmp:
        files = path.with_suffix(".d")
        cwd = pathlib.Path(tmp) / "w"
        if files.is_dir():
            shutil.copytree(files, cwd)
        else:
            cwd.mkdir()
        i = 0
        while i < len(want):
            now.append(want[i])
            if not want[i].startswith("$ "):
                i += 1
                continue
            j = i + 1
            while j < len(want) and not want[j].startswith("$ ") and want[j] != "#":
                j += 1
            old = want[i + 1:j]
            got = run(want[i][2:], cwd)
            now += old if same(old, got) else got
            i = j
    return want, now


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--update", action="store_true")
    p.add_argument("paths", nargs="*", type=pathlib.Path)
    a = p.parse_args()
    there = set(re.findall(r"^RLX_COMMAND\((\w+),", (ROOT / "cli" / "commands.def").read_text(), re.M))
    passed = failed = skipped = 0
    for path in a.paths or sorted(HERE.glob("*.txt")):
        needs = re.match(r"# needs: (.*)", path.read_text(encoding="utf-8"))
        missing = set(needs.group(1).split()) - there if needs else set()
        if "llvm" in missing and (pathlib.Path(RLX).parent / "librlx-llvm.so").exists():
            missing.discard("llvm")
        if missing:
            skipped += 1
            print(f"skipped {path.name}: no {', '.join(sorted(missing))}")
            continue
        want, now = replay(path)
        if want == now:
            passed += 1
        elif a.update:
            path.write_text("\n".join(now) + "\n", encoding="utf-8")
            print(f"updated {path.name}")
            passed += 1
        else:
            failed += 1
            print(f"FAILED tests/cli/{path.name}   (make update rewrites it)")
            print("\n".join(list(difflib.unified_diff(want, now, "expected", "now", lineterm="", n=2))[:60]))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
