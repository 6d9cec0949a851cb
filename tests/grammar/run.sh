#!/usr/bin/env bash
# The grammar's corpus, and Python's standard library as CPython reads it.
cd "$(dirname "$0")/../.." || exit 2
corpus=$(python3 tests/grammar/corpus.py); code=$?
echo "$corpus" | sed '$d'
files=$(python3 tests/grammar/python_files.py) || code=1
echo "$files" | sed '$d'
{ echo "$corpus" | tail -1; echo "$files" | tail -1; } |
  awk '{ p += $1; f += $3; s += $5 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s }'
exit $code
