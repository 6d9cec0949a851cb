#!/usr/bin/env python3
"""Rewriting, text in, text out: tests/rewrite/*.txt.

    tests/rewrite/run.py [--update] [FILE…]

A case is

    === OPTIONS: what it is about
    text
    --- (or "--- unchanged" and nothing behind it)
    what becomes of it

OPTIONS is a command of rlx with its options, `normalize --t-anf`. A backslash and a letter at a line's end stand for what an editor hides:
`\\r` for a carriage return, `\\t` in front of a line for a tabulator. Beside the text it is checked that the answer stays as it is when
the command is run again, and that a text without errors has none afterwards. `--update` writes the answers anew; they are to be read then.
The closing line is `N passed, N failed, N skipped`. Standard library only.
"""

import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RLX = os.environ.get("RLX", str(ROOT / os.environ.get("BUILD", "build") / "rlx"))


def plain(text):
    return re.sub(r"^((?:\\t)+)", lambda m: m[1].replace("\\t", "\t"), text, flags=re.M).replace("\\r\n", "\r\n")


def shown(text):
    return re.sub(r"^\t+", lambda m: m[0].replace("\t", "\\t"), text.replace("\r\n", "\\r\n"), flags=re.M)


def read(path):
    """The cases: [heading, options, before, after]."""
    out = []
    for part in re.split(r"^(?==== )", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        heading, rest = part.split("\n", 1)
        before, sign, after = re.match(r"(.*?)^(---.*?)\n(.*)", rest, re.S | re.M).groups() if "\n---" in rest else (rest.rstrip("\n") + "\n", "", "")
        after = before if sign == "--- unchanged" else after.rstrip("\n") + "\n"
        out.append([heading, heading[4:].split(":")[0].split(), before, after])
    return out


def rewrite(options, names, cwd):
    done = subprocess.run([RLX, *options, "--write", *names], cwd=cwd, capture_output=True, timeout=120, check=False)
    return "" if done.returncode in (0, 1) else f"exit {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"


def errors(names, cwd):
    done = subprocess.run([RLX, "check", "--format", "json", *names], cwd=cwd, capture_output=True, timeout=120, check=False)
    return {f["file"]: [d["message"] for d in f["diagnostics"] if d["severity"] == "error"] for f in json.loads(done.stdout)["files"]}


def run(path, update):
    cases, bad = read(path), []
    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp)
        names = [f"{k}.py" for k in range(len(cases))]
        groups = {}
        for name, (_, options, before, _) in zip(names, cases):
            (tmp / name).write_bytes(plain(before).encode())
            groups.setdefault(tuple(options), []).append(name)
        wrong = errors(names, tmp)
        why = [rewrite(o, n, tmp) for o, n in groups.items()]
        now = [shown((tmp / name).read_bytes().decode()) for name in names]
        still = errors(names, tmp)
        why += [rewrite(o, n, tmp) for o, n in groups.items()]
        again = [shown((tmp / name).read_bytes().decode()) for name in names]
    bad += [w for w in why if w]
    for name, case, text, twice in zip(names, cases, now, again):
        heading, _, before, after = case
        if text != after and not update:
            diff = difflib.unified_diff(after.split("\n"), text.split("\n"), "expected", "now", lineterm="", n=1)
            bad.append(f"{heading}\n" + "\n".join(diff))
        elif twice != text:
            bad.append(f"{heading}\nchanges when it is done again:\n{twice}")
        elif still.get(name) and not wrong.get(name):
            bad.append(f"{heading}\nhas errors now: {still[name]}")
        case[3] = text
    if update:
        body = "\n".join(f"{h}\n{b}---" + (" unchanged\n" if a == b else f"\n{a}") for h, _, b, a in cases)
        head = re.split(r"^=== ", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.M)[0]
        path.write_text(head + body, encoding="utf-8")
    for text in bad:
        print(f"FAILED {os.path.relpath(path, ROOT)}: {text}")
    return max(len(cases) - len(bad), 0), len(bad)


def main():
    update = "--update" in sys.argv[1:]
    named = [pathlib.Path(a).resolve() for a in sys.argv[1:] if a != "--update"]
    results = [run(path, update) for path in named or sorted(HERE.glob("*.txt"))]
    passed, failed = sum(r[0] for r in results), sum(r[1] for r in results)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return int(failed > 0 or not passed)


if __name__ == "__main__":
    sys.exit(main())
