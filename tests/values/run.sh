#!/usr/bin/env bash
# Values of operators against those that are written down, most of them Apache TVM's. See cases.py.
cd "$(dirname "$0")/../.." || exit 2
exec python3 tests/values/run.py "$@"
