#!/usr/bin/env python3
"""Compare what the analyzer's documents say about the syntax of Python files with the CPython that runs this.

usage: python_files.py [FOLDER…]     (default: the standard library; BUILD=folder)

A file that CPython parses has no syntax error, one that it rejects has one. Files that are not UTF-8 are left out: decoding is the caller's business. The last line counts files.
"""
import ast
import os
import pathlib
import subprocess
import sys
import warnings

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import BUILD  # noqa: E402

warnings.simplefilter("ignore")
check = BUILD / "tests" / "grammar" / "parse_check"


def main():
    folders = sys.argv[1:] or [os.path.dirname(os.__file__)]
    valid = {}
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.py")):
            if not sys.argv[1:] and "site-packages" in path.parts:
                continue
            try:
                text = path.read_bytes()
                text.decode()
                ast.parse(text)
                valid[str(path)] = True
            except (UnicodeDecodeError, OSError, RecursionError, MemoryError):
                continue
            except (SyntaxError, ValueError) as e:
                if "encoding" not in str(e) and "codec" not in str(e):
                    valid[str(path)] = False
    run = subprocess.run([check, "--document", "-"], input="\n".join(valid), capture_output=True, text=True, check=True)
    passed = failed = 0
    for line in run.stdout.splitlines():
        errors, _, path = line.split(" ", 2)
        ok = (errors == "0") == valid[path]
        passed += ok
        failed += not ok
        if not ok:
            print(("rejected, but CPython parses " if valid[path] else "accepted, but CPython rejects ") + path)
    print(f"{passed} passed, {failed + len(valid) - passed - failed} failed, 0 skipped")
    return 0 if passed == len(valid) else 1


if __name__ == "__main__":
    sys.exit(main())
