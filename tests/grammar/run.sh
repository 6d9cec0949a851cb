#!/usr/bin/env bash
# The grammar's corpus, small pieces that Python takes or rejects, statements broken one by one, and Python's standard library as CPython reads it.
cd "$(dirname "$0")/../.." || exit 2
code=0
for test in corpus snippets recovery python_files; do
  out=$(python3 tests/grammar/$test.py) || code=1
  echo "$out" | sed '$d'
  totals+=$(echo "$out" | tail -1)$'\n'
done
echo -n "$totals" | awk '{ p += $1; f += $3; s += $5 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s }'
exit $code
