#!/usr/bin/env bash
# Every allocation of four commands fails in turn, and each command that writes is killed 60 times (make check takes some of them).
cd "$(dirname "$0")/../.." || exit 2
passed=0 failed=0 skipped=0
for program in "memory.py --all" "kills.py 60"; do
  # shellcheck disable=SC2086
  out=$(python3 tests/hostile/$program)
  head -n -1 <<<"$out"
  read -r p _ f _ s _ <<<"$(tail -1 <<<"$out")"
  [[ $p =~ ^[0-9]+$ ]] && passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s)) || failed=$((failed + 1))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
