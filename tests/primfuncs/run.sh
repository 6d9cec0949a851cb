#!/usr/bin/env bash
# Statements of PrimFuncs, with what TVM 0.25 and 0.27 say of each.
cd "$(dirname "$0")/../.." || exit 2
exec python3 tests/primfuncs/run.py "${RLX:-$PWD/${BUILD:-build}/rlx}"
