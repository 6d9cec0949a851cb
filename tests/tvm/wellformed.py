#!/usr/bin/env python3
"""Hold `rlx check` against TVM's verifier, asked of the very texts that the goldens of `../shared/corpus/tir` have.

usage: wellformed.py RLX [--list N]

A golden of wellformed/ says what TVM answered of a module in memory, and one of analysis/ is expected to have no error. Where the printed text says
something else (variables that two functions share become two of one name), or TVM's verifier refuses it all the same, the golden cannot be met: the text is
what there is. The exit status is 1 when rlx has an error where TVM's reader and verifier have none, or the other way round. Needs `../shared` and the
Python package tvm.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import tvm
from tvm import tirx

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus" / "tir"


def is_refused(text):
    """Does TVM refuse the text, when it reads it or in its verifier?"""
    try:
        mod = tvm.script.from_source("\n".join(l for l in text.splitlines() if not l.startswith(("from ", "import "))), check_well_formed=False)
        return not tirx.analysis.verify_well_formed(mod, assert_mode=False)
    except Exception:
        return True


def has_error(rlx, script):
    done = subprocess.run([rlx, "check", "--isolated", "--format", "json", str(script)], capture_output=True, text=True, timeout=60)
    return any(d["severity"] == "error" for f in json.loads(done.stdout)["files"] for d in f["diagnostics"])


def contradictions():
    """Pairs of goldens with the same bytes, of which one is expected to have an error and the other none."""
    refused = {g.with_suffix(".py").read_bytes(): g.stem for g in sorted((CORPUS / "wellformed").glob("*.json")) if not json.loads(g.read_text())["well_formed"]}
    scripts = sorted((CORPUS / "analysis").glob("*.py"))
    return [(s.stem, refused[s.read_bytes()]) for s in scripts if s.read_bytes() in refused]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("--list", type=int, default=10)
    a = p.parse_args()
    total = differ = unmet = 0
    for part in ("wellformed", "analysis"):
        for gold in sorted((CORPUS / part).glob("*.json")):
            script = gold.with_suffix(".py")
            wanted = part == "wellformed" and not json.loads(gold.read_text())["well_formed"]
            theirs, ours = is_refused(script.read_text()), has_error(a.rlx, script)
            total += 1
            differ += ours != theirs
            unmet += theirs != wanted
            if ours != theirs and differ <= a.list:
                print(f"{part} {gold.stem}: TVM {'refuses' if theirs else 'accepts'} the text, rlx does not")
            elif theirs != wanted:
                print(f"{part} {gold.stem}: expected {'an' if wanted else 'no'} error, and TVM {'refuses' if theirs else 'accepts'} the text, as rlx does")
    for one, other in contradictions():
        print(f"analysis {one} and wellformed {other} are one text, with opposite expectations")
    print(f"{total} texts: {differ} where rlx and TVM differ, {unmet} where TVM's answer is not the golden's")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
