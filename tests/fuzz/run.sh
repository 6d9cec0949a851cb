#!/usr/bin/env bash
# Replays each fuzz target's seeds (tests/fuzz/seeds/NAME/*, former findings among them), the examples and the goldens.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
passed=0 failed=0 replays=0
shopt -s nullglob
for source in tests/fuzz/fuzz_*.c; do
  name=$(basename "$source" .c)
  make -s BUILD="$build" "$build/tests/fuzz/$name" || { failed=$((failed + 1)); continue; }
  bad=0
  files=(tests/fuzz/seeds/"$name"/* examples/*.py tests/golden/*.py tests/golden/*/*.py)
  if timeout 1800 "$build/tests/fuzz/$name" "${files[@]}" >/dev/null 2>"$build/logs/fuzz.err"; then
    replays=$((replays + ${#files[@]}))
  else # which of them?
    for file in "${files[@]}"; do
      timeout 900 "$build/tests/fuzz/$name" "$file" >/dev/null 2>"$build/logs/fuzz.err" && continue
      bad=$((bad + 1)); echo "FAILED: $build/tests/fuzz/$name $file"; tail -20 "$build/logs/fuzz.err"
    done
    [ $bad -gt 0 ] || { bad=1; echo "FAILED: $name on all files one after another"; }
  fi
  failed=$((failed + bad)) # every failure is one, a target that takes all of its files is one test
  [ $bad -gt 0 ] || passed=$((passed + 1))
done
echo "apart: $replays fuzz replays"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
