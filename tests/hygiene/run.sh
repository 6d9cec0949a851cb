#!/usr/bin/env bash
# The tree itself: layers, headers that compile alone, formatting, files that are too long, sentences nobody should read.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
passed=0 failed=0 skipped=0
step() { local what=$1; shift; if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi; }
skip() { skipped=$((skipped + 1)); echo "skipped: $1"; }

step "layers" tools/layers.py --strict
step "what layers sees" tests/hygiene/rooms_test.py "$build/librlx.a"
step "every header compiles alone" make -s -k BUILD="$build" headers

# LLVM is loaded, never linked.
linked() { ! readelf -d "$build/rlx" | grep 'NEEDED.*LLVM'; }
if command -v readelf >/dev/null; then step "rlx is not linked to LLVM" linked; else skip "rlx is not linked to LLVM (no readelf)"; fi

# No mutable globals: nothing of ours in .data or .bss but what is listed, with its reason.
mutable() {
  local allowed='reports|interrupted' # base/bug.c: bounds how often an internal error is logged; repl/repl.c: what a signal handler can reach
  local found
  found=$(objdump -t "$build/librlx.a" | grep -E ' O (\.data|\.bss|\*COM\*)[[:space:]]' | awk '{print $NF}' |
    grep -vE "^($allowed)(\.[0-9]+)?$" || true)
  [ -z "$found" ] || { echo "mutable globals:"; echo "$found"; return 1; }
}
if nm "$build/librlx.a" 2>/dev/null | grep -q __asan; then skip "mutable globals (sanitized build)"; else step "no mutable globals" mutable; fi

too_long() {
  local found
  found=$(git ls-files '*.c' '*.h' | grep -v '^grammar/src/' | xargs wc -l | awk '$1 > 1200 && $2 != "total"')
  [ -z "$found" ] || { echo "longer than 1200 lines:"; echo "$found"; return 1; }
}
if git rev-parse --git-dir >/dev/null 2>&1; then step "no file is longer than 1200 lines" too_long; else skip "file lengths (no git)"; fi

codes_are_tested() { # every diagnostic's code stands in a test that shows it (fuzzing inputs don't count)
  local untested
  untested=$(comm -23 <(grep -ohE '"RLX[0-9]{4}"' analyzer/diag/*.def | tr -d '"' | sort -u) \
    <(grep -rohE 'RLX[0-9]{4}' tests --exclude-dir=fuzz --include='*.txt' --include='*.py' --include='*.out' --include='*.c' | sort -u))
  [ -z "$untested" ] || { echo "in no test (tests/golden/rules is where most belong):" $untested; return 1; }
  [ "$(cat analyzer/diag/*.def | grep -cE '"RLX[0-9]{4}"')" -gt 100 ] || { echo "no codes found in analyzer/diag"; return 1; }
}
step "every diagnostic code is in a test" codes_are_tested

links() { # relative links of the documentation point to something
  local bad=0 file target
  for file in README.md docs/*.md examples/*.md; do
    [ -f "$file" ] || continue
    while read -r target; do
      [ -e "$(dirname "$file")/$target" ] || { echo "$file: no $target"; bad=1; }
    done < <(grep -oE '\]\([^)#: ]+' "$file" | sed 's/^](//' | grep -vE '^https?$')
  done
  return $bad
}
step "links of the documentation" links

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
