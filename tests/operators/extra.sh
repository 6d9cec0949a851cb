#!/usr/bin/env bash
# 200 inputs for each call of cases.txt instead of five, compared with numpy.
set -u
cd "$(dirname "$0")/../.." || exit 2
python=build/venv/bin/python
[ -x $python ] || python=python3
if RLX_INPUTS=200 $python -m pytest -q tests/operators; then echo "1 passed, 0 failed, 0 skipped"; else echo "0 passed, 1 failed, 0 skipped"; exit 1; fi
