#!/usr/bin/env bash
# Values of operators against those that are written down, most of them Apache TVM's. See cases.py. Without arguments, one line of
# seven; test_lines.py has the others.
cd "$(dirname "$0")/../.." || exit 2
[ $# -gt 0 ] || set -- --part
exec python3 tests/values/run.py "$@"
