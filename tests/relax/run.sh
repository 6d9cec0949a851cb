#!/usr/bin/env bash
# Statements of Relax functions, with what TVM 0.25 and 0.27 say of each.
cd "$(dirname "$0")/../.." || exit 2
exec python3 tests/primfuncs/run.py --relax "${RLX:-$PWD/${BUILD:-build}/rlx}"
