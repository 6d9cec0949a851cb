#!/usr/bin/env python3
"""Every operator's rule against the answers of Apache TVM that are written down in tests/ops/*.txt; cases.py describes the lines.

    tests/ops/run.py [--update] [FILE…]

`--update` writes anew which codes rlx reports, and where; what TVM says only tests/tvm/operators.py can change, and a case whose answer
contradicts TVM's is never written. The closing line is `N passed, N failed, N skipped`. Standard library only.
"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import cases as c  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

ROOT = c.HERE.parents[1]


def main():
    update = "--update" in sys.argv[1:]
    named = [pathlib.Path(a).resolve() for a in sys.argv[1:] if a != "--update"]
    passed = failed = 0
    for path in named or c.files():
        lines = path.read_text(encoding="utf-8").split("\n")
        where = [k for k, line in enumerate(lines) if c.is_case(line)]
        found = [c.Case(lines[k]) for k in where]
        for k, case, now in zip(where, found, c.ask(RLX, found)):
            if now == case.rlx:
                passed += 1
                continue
            if update and c.agree(case.tvm, now) and c.agree(case.tvm, case.rlx):
                case.rlx = now
                lines[k] = case.line()
                passed += 1
                continue
            failed += 1
            print(f"FAILED {os.path.relpath(path, ROOT)}:{k + 1}: {lines[k]}\n       now: {now}")
        if update:
            path.write_text("\n".join(lines), encoding="utf-8")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return int(failed > 0 or not passed)


if __name__ == "__main__":
    sys.exit(main())
