#!/usr/bin/env bash
# Replays each fuzz target's seeds (tests/fuzz/seeds/NAME/*, former findings among them), the examples and the goldens.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
passed=0 failed=0
shopt -s nullglob
for source in tests/fuzz/fuzz_*.c; do
  name=$(basename "$source" .c)
  make -s BUILD="$build" "$build/tests/fuzz/$name" || { failed=$((failed + 1)); continue; }
  for file in tests/fuzz/seeds/"$name"/* examples/*.py tests/golden/*.py tests/golden/*/*.py; do
    if timeout 60 "$build/tests/fuzz/$name" "$file" >/dev/null 2>"$build/logs/fuzz.err"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1)); echo "FAILED: $build/tests/fuzz/$name $file"; tail -20 "$build/logs/fuzz.err"
    fi
  done
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
