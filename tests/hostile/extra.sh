#!/usr/bin/env bash
# Every allocation of four commands fails in turn, each command that writes is killed 60 times and meets full disks, threads run under a
# sanitizer (make check takes some of them).
cd "$(dirname "$0")/../.." || exit 2
passed=0 failed=0 skipped=0
for program in "python3 tests/hostile/memory.py --all" "python3 tests/hostile/kills.py 60" "python3 tests/hostile/full_disk.py" tests/hostile/threads.sh; do
  # shellcheck disable=SC2086
  out=$($program)
  head -n -1 <<<"$out"
  read -r p _ f _ s _ <<<"$(tail -1 <<<"$out")"
  [[ $p =~ ^[0-9]+$ ]] && passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s)) || failed=$((failed + 1))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
