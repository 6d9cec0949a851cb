#!/usr/bin/env python3
"""Each promise of docs/security.md has a test: each row of its table names a file and a text that stands in it, and each boundary (the
bold words of "What each boundary does") has a row. Exit code 1 and a line for each that does not."""
import re, sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
WARNINGS = {"Machine code of a hand-written PrimFunc is native code"}  # which rlx cannot change: nothing to test


def section(text, title):
    return text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def main():
    text, wrong = (TOP / "docs/security.md").read_text(), []
    rows = re.findall(r"^\| (.+?) \| `([\w/.-]+)`: `(.+)` \|$", section(text, "What holds each promise"), re.MULTILINE)
    for promise, path, test in rows:
        file = TOP / path
        if not file.is_file(): wrong.append(f"{promise!r}: there is no {path}")
        elif test not in file.read_text(): wrong.append(f"{promise!r}: {path} has no test {test!r}")
    bold = re.findall(r"^- \*\*(.+?)[.,]?\*\*", section(text, "What each boundary does"), re.MULTILINE)
    promises = {promise for promise, _, _ in rows}
    wrong += [f"no row tests {b!r}" for b in bold if b not in promises | WARNINGS]
    if len(bold) < 10 or len(rows) < len(bold): wrong.append(f"only {len(bold)} boundaries and {len(rows)} promises were found")
    print("".join(f"docs/security.md: {w}\n" for w in wrong), end="")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
