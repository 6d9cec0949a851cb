#!/usr/bin/env bash
# Numbers and dtypes that Python alone knows bring no false alarm.
cd "$(dirname "$0")/../.." || exit 2
export RLX=${RLX:-$PWD/${BUILD:-build}/rlx}
exec python3 tests/relax/opened.py 1 1500 0.5
