#!/usr/bin/env bash
# The grammar's corpus, small pieces that Python takes or rejects, statements broken one by one, and Python's standard library as CPython reads it.
cd "$(dirname "$0")/../.." || exit 2
code=0 passed=0 failed=0 skipped=0
for test in corpus snippets recovery python_files; do
  out=$(python3 tests/grammar/$test.py) || code=1
  echo "$out" | sed '$d'
  read -r p _ f _ s _ <<<"$(echo "$out" | tail -1)"
  if [ $test != corpus ]; then # thousands of pieces: one test, and the pieces are counted apart
    echo "apart: $p grammar $([ $test = python_files ] && echo files || echo snippets)"
    p=$((f == 0))
  fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
exit $code
