#!/usr/bin/env bash
# Twice the input, twice the cost: the shapes that once were worst; what fuzzers found; and a session of 5,000 edits. extra.sh has all of them.
set -u
cd "$(dirname "$0")/../.." || exit 2
shapes=${1:---worst} edits=${2:-5000}
passed=0 failed=0 skipped=0
for program in "growth.py $shapes" "growth.py --replays" "soak.py $edits"; do
  # shellcheck disable=SC2086 # a program and its argument
  out=$(python3 tests/growth/$program) || { last=$(tail -1 <<<"$out"); grep -q ' failed,' <<<"$last" || failed=$((failed + 1)); }
  head -n -1 <<<"$out"
  read -r p _ f _ s _ <<<"$(tail -1 <<<"$out")"
  [[ $p =~ ^[0-9]+$ ]] && { passed=$((passed + p)) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0})); }
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
