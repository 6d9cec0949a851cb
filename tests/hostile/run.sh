#!/usr/bin/env bash
# Inputs that are made to take long, or much memory, or to do more than they may: what a stranger's repository could hold.
# run.sh quick: those that take seconds.
set -u
cd "$(dirname "$0")/../.." || exit 2
passed=0 failed=0 skipped=0
programs="listings outputs config security failures outside"
[ "${1:-}" = quick ] || programs="shapes $programs worker arrays limits writes memory kills"
for program in $programs; do
  out=$(python3 "tests/hostile/$program.py") || { last=$(tail -1 <<<"$out"); grep -q ' failed,' <<<"$last" || failed=$((failed + 1)); }
  head -n -1 <<<"$out"
  read -r p _ f _ s _ <<<"$(tail -1 <<<"$out")"
  [[ $p =~ ^[0-9]+$ ]] && { passed=$((passed + p)) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0})); }
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
