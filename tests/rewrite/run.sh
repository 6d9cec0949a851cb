#!/usr/bin/env bash
# Normal forms, formatting and dialects: text in, text out. See run.py.
cd "$(dirname "$0")/../.." || exit 2
exec python3 tests/rewrite/run.py "$@"
