#!/usr/bin/env bash
# Operators' rules against Apache TVM's answers, which are written down here. See run.py and cases.py.
cd "$(dirname "$0")/../.." || exit 2
exec python3 tests/ops/run.py "$@"
