#!/usr/bin/env python3
"""Runs what documentation shows: in each page below docs/ a block of code behind one of these comments.

    <!-- file: NAME -->   the block is written to NAME, in a folder of the page's own
    <!-- run -->          `$ COMMAND`, then what it prints, then `[N]` when it exits with N other than 0
    <!-- repl: FILE -->   what is typed at the prompts `rlx> ` and `sched f> `, each with what is answered, after :load FILE

Numbers of times (`us`, `GFLOP/s`, `GB/s`, `times as fast`) are not compared. usage: run.py [PAGE…]"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

BLOCK = re.compile(r"^<!-- (file|run|repl)(?:: (\S+))? -->\n```\w*\n(.*?)^```$", re.M | re.S)
TIME = re.compile(r" +[0-9.]+ (us|GFLOP/s|GB/s|times as fast)")
PROMPT = re.compile(r"^(?:rlx|sched \w+)> (.*)$")


def run(command, cwd, text=None):
    env = dict(os.environ, PATH=f"{pathlib.Path(RLX).parent}:{os.environ['PATH']}", NO_COLOR="1", XDG_CACHE_HOME=str(cwd / ".cache"), LC_ALL="C.UTF-8")
    done = subprocess.run(command, cwd=cwd, env=env, input=text, stdin=None if text else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=900)
    return done.stdout.splitlines() + ([f"[{done.returncode}]"] if done.returncode else [])


def shell(body, cwd):
    """What the commands of the block print now."""
    now = []
    for line in body.splitlines():
        if line.startswith("$ "):
            now += [line] + run(["sh", "-c", line[2:]], cwd)
    return now


def repl(body, cwd, script):
    """The answers, as the block has them without its prompts: piped input shows none."""
    typed = [m[1] for m in map(PROMPT.match, body.splitlines()) if m]
    return run([str(RLX), "repl", "--keep-going", "--threads=2", script], cwd, "\n".join(typed) + "\n")


def main():
    pages = [pathlib.Path(p) for p in sys.argv[1:]] or sorted((ROOT / "docs").glob("*.md"))
    passed = failed = 0
    if not (pathlib.Path(RLX).parent / "librlx-llvm.so").exists():
        print("skipped: no librlx-llvm.so\n0 passed, 0 failed, 1 skipped")
        return 0
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            cwd = pathlib.Path(folder)
            for kind, name, body in BLOCK.findall(page.read_text(encoding="utf-8")):
                if kind == "file":
                    (cwd / name).write_text(body, encoding="utf-8")
                    continue
                if kind == "run":
                    want, got = body.splitlines(), shell(body, cwd)
                else:
                    want, got = [x for x in body.splitlines() if not PROMPT.match(x)], repl(body, cwd, name)
                    if got[-1:] == ["[1]"]:  # a step was refused on purpose
                        got.pop()
                want, got = ([TIME.sub(r" N \1", x) for x in lines] for lines in (want, got))
                if want == got:
                    passed += 1
                    continue
                failed += 1
                print(f"FAILED {page.name}\n" + "\n".join(difflib.unified_diff(want, got, "shown", "now", lineterm="", n=1)))
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
