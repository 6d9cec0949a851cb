"""Reads what `rlx print` wrote with the TVM that is installed: read_with_tvm.py FOLDER LEAST SAME

FOLDER holds *.txt; texts with `metadata[` do not stand alone and are left out. LEAST is the share that has to be read, SAME
the share that TVM then prints in the same words, but for constants (TVM prints them elsewhere) and targets (TVM adds what it
finds on the machine). The last line is `N passed, N failed, N skipped` (one test).
"""

import collections
import pathlib
import re
import sys

import tvm
import tvm.script
import tvm.topi
from tvm.script.parser.core.entry import _default_globals

NAMES = {**_default_globals(), "topi": tvm.topi}  # what Python calls in the scripts mention
SAME_THINGS = [
    (r'metadata\["[a-zA-Z.]*"\]\[\d+\]', "metadata"),
    (r'R\.const\(\[.*?\], "\w+"\)', "metadata"),
    (r'R\.const\([^()]*, "(uint\w+|bfloat16|float8\w*)"\)', "metadata"),
    (r'I\.vdevice\((\{.*?\}|"\w+")(, \d+)?(, "\w+(\.\w+)?")?\)', "I.vdevice()"),
]


def without_data(text):
    for pattern, word in SAME_THINGS:
        text = re.sub(pattern, word, text)
    return text.split("\n# Metadata omitted")[0].strip()


def body(text):
    lines = text.split("\n")
    start = 0
    while start < len(lines) and (not lines[start] or lines[start].startswith(("# from ", "from ", "import "))):
        start += 1
    return "\n".join(lines[start:]).strip()


def main():
    folder, least, least_same = pathlib.Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
    read = same = total = 0
    refusals = collections.Counter()
    for path in sorted(folder.glob("*.txt")):
        text = path.read_text()
        if "metadata[" in text or not text.strip():
            continue
        total += 1
        try:
            module = tvm.script.from_source(text, NAMES, check_well_formed=False)
        except Exception as e:  # whatever it is, it was not read
            first = next((line for line in str(e).split("\n") if line.strip()), type(e).__name__)
            refusals[re.sub(r"[0-9]+", "N", first)[:110]] += 1
            continue
        read += 1
        same += without_data(body(module.script())) == without_data(body(text))
    for why, count in refusals.most_common(12):
        print(f"{count:5} {why}")
    print(f"TVM {tvm.__version__}: read {read} of {total} ({read / total:.2%}), printed in the same words {same} ({same / total:.2%})")
    fine = total > 0 and read / total >= least and same / total >= least_same
    print(f"{int(fine)} passed, {int(not fine)} failed, 0 skipped")
    return 0 if fine else 1


sys.exit(main())
