#!/usr/bin/env python3
"""The limits in docs/security.md are those of the sources: each row that names a constant (`NAME` in `path`) says its value first.
Exit code 1 and a line for each that does not."""
import re, sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def constant(path, name):
    """The value of an enumerator, a macro or a static const; None: it is not there."""
    text = (TOP / path).read_text()
    found = re.search(rf"(?:#define\s+{name}\s+|\b{name}\s*=\s*)([^,;}}/\n]+)", text)
    if not found: return None
    words = re.sub(r"\(\s*[a-z_]\w*\s*\)", "", found[1])  # casts
    words = re.sub(r"(\d)[uUlL]+\b", r"\1", words)
    return eval(words, {"__builtins__": {}}) if re.fullmatch(r"[\d\s()*+<-]+", words) else None


def main():
    rows = [line for line in (TOP / "docs/security.md").read_text().splitlines() if re.search(r"`\w+` in `[\w/.]+` \|$", line)]
    wrong = []
    for row in rows:
        limit, where = row.split("|")[2].strip(), row.split("|")[4]
        for name, path in re.findall(r"`(\w+)` in `([\w/.]+)`", where):
            said = re.match(r"([\d,]+)\s*(KiB|MiB|GiB)?", limit)
            value = int(said[1].replace(",", "")) * UNITS.get(said[2], 1) if said else None
            if value != constant(path, name): wrong.append(f"docs/security.md: {limit!r}, and {name} in {path} is {constant(path, name)}")
    if len(rows) < 15: wrong.append(f"docs/security.md: only {len(rows)} limits name their constant")
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
