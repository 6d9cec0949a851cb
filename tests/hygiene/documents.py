#!/usr/bin/env python3
"""What the documents for contributors name is there: files of the sources, folders, functions and types, targets of make.

    tests/hygiene/documents.py        exit status 1 when something is not

Placeholders are written in capitals (`rlx_cmd_NAME`, `analyzer/ops/FAMILY.def`). Standard library only.
"""

import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "docs/ARCHITECTURE.md", "docs/contributing.md", "docs/protocol.md", "docs/security.md"]
PLACEHOLDER = re.compile(r"NAME|FAMILY|AREA|GROUP|MY_ROW|\*")


def sources():
    listed = subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=True).stdout.split()
    words = set()
    for path in listed:
        if path.endswith((".c", ".h", ".def", "Makefile", ".mk")) and not path.startswith("grammar/src/"):
            words.update(re.findall(r"\w+", (TOP / path).read_text(encoding="utf-8", errors="replace")))
    return listed, words


def targets():
    text = (TOP / "Makefile").read_text() + (TOP / "editors/editors.mk").read_text()
    return {word for match in re.findall(r"^([\w -]+):(?!=)|^\.PHONY: (.*)$", text, re.M) for word in " ".join(match).split()}


def missing(name, listed, words, makes):
    """What `name`, the text between two backticks, is and is not there; or None."""
    if PLACEHOLDER.search(name):
        return None
    if re.fullmatch(r"[\w/]+\.(c|h|def)|(tests|tools)/[\w/]+\.(py|sh|txt)", name):
        return None if any(path == name or path.endswith("/" + name) for path in listed) else "file"
    if re.fullmatch(r"(\w+/)+", name) and name.split("/")[0] in {path.split("/")[0] for path in listed}:
        return None if any(path.startswith(name) for path in listed) else "folder"
    if re.fullmatch(r"(rlx_|RLX_|Rlx)\w+", name):
        return None if name in words else "name"
    made = re.fullmatch(r"make (?:[A-Z]+=\S+ )*([a-z][\w-]*)(?: .*)?", name)
    return "target of make" if made and made[1] not in makes else None


def main():
    listed, words = sources()
    makes, wrong, seen = targets(), [], 0
    for document in DOCUMENTS:
        for name in sorted(set(re.findall(r"`([^`\n]+)`", (TOP / document).read_text()))):
            seen += 1
            what = missing(name, listed, words, makes)
            if what: wrong.append(f"{document}: there is no {what} `{name}`")
    for name in ("analyzer/no_such.c", "analyzer/nowhere/", "rlx_no_such_thing", "make nothing-at-all"):
        if not missing(name, listed, words, makes): wrong.append(f"this check does not see that `{name}` is not there")
    if seen < 200: wrong.append(f"only {seen} names were found")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
