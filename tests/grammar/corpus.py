#!/usr/bin/env python3
"""Compare the trees of grammar/test/corpus/*.txt with what the grammar gives, without the tree-sitter CLI.

usage: corpus.py [--update]     (BUILD=folder; needs BUILD/tests/grammar/parse_check)

The files have the CLI's format, so that `tree-sitter test` runs them, too: a title between lines of `=`, `:error` behind
it for text that must be rejected, the text, `---`, the tree. --update writes the trees anew: read the diff.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import BUILD, ROOT  # noqa: E402

check = BUILD / "tests" / "grammar" / "parse_check"
case = re.compile(r"={20}\n([^\n]+)\n((?::\w+\n)*)={20}\n(.*?)\n---\n\n(.*?)(?=\n={20}\n|\Z)", re.S)


def pretty(sexp):
    """One node a line, as the CLI writes it."""
    out, depth, fresh = "", 0, True
    for token in re.findall(r"\w+: |\([^\s()]+(?: [^\s()]+)?|\)|\S+", sexp):
        if token == ")":
            depth -= 1
            out += token
            continue
        out += ("\n" + "  " * depth if fresh else "") + token
        fresh = not token.endswith(": ")
        depth += fresh
    return out.strip() + "\n"


def main():
    update = "--update" in sys.argv
    passed = failed = 0
    for path in sorted((ROOT / "grammar" / "test" / "corpus").glob("*.txt")):
        new = []
        cases = case.findall(path.read_bytes().decode())
        for title, marks, text, tree in cases:
            with tempfile.NamedTemporaryFile(suffix=".py") as f:
                f.write(text.encode())
                f.flush()
                first, sexp = subprocess.run([check, "--sexp", f.name], capture_output=True, text=True, check=True).stdout.split("\n")[:2]
            errors = int(first.split()[0])
            new.append(f"{'=' * 20}\n{title}\n{marks}{'=' * 20}\n{text}\n---\n\n{'' if marks else pretty(sexp)}")
            ok = errors > 0 if ":error" in marks else "".join(tree.split()) == "".join(sexp.split())
            if ok or update:
                passed += 1
                continue
            failed += 1
            print(f"{path.name}: {title}\n" + ("  accepted, but must be rejected" if marks else pretty(sexp)))
        if not cases:
            failed += 1
            print(f"{path.name}: no cases")
        if update:
            path.write_bytes("\n".join(new).encode())
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
