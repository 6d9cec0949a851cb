#!/usr/bin/env bash
# The tree itself: layers, headers that compile alone, formatting, files that are too long, sentences nobody should read.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
passed=0 failed=0 skipped=0
step() { local what=$1; shift; if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi; }
skip() { skipped=$((skipped + 1)); echo "skipped: $1"; }

step "layers" tools/layers.py
step "what layers sees" tests/hygiene/rooms_test.py "$build/librlx.a"
step "tables and picture of the rooms are current" tools/generate_rooms --check
step "the limits of docs/security.md are the sources'" tests/hygiene/limits.py
step "the promises of docs/security.md have tests" tests/hygiene/promises.py
step "no test depends on the speed of the machine" tests/hygiene/patience.py
if git rev-parse --git-dir >/dev/null 2>&1; then step "what documents name is there" tests/hygiene/documents.py; else skip "what documents name (no git)"; fi
if git rev-parse --git-dir >/dev/null 2>&1; then step "the lines that tools/mutate.py changes are there" tools/mutate.py --check; else skip "lines of tools/mutate.py (no git)"; fi
left() { ! git ls-files | grep -E '\.(orig|rej|bak|swp)$|~$'; }
if git rev-parse --git-dir >/dev/null 2>&1; then step "no tool's left-overs are in the tree" left; else skip "left-overs (no git)"; fi
step "every header compiles alone" make -s -k BUILD="$build" headers

# LLVM is loaded, never linked.
linked() { ! readelf -d "$build/rlx" | grep 'NEEDED.*LLVM'; }
if command -v readelf >/dev/null; then step "rlx is not linked to LLVM" linked; else skip "rlx is not linked to LLVM (no readelf)"; fi

# No mutable globals: nothing of ours in .data or .bss but what is listed, with its reason.
mutable() {
  local allowed='reports|interrupted|stopped|resized' # base/bug.c: bounds how often an internal error is logged; repl/repl.c and repl/line.c: what a signal handler can reach
  local found
  found=$(objdump -t "$build/librlx.a" | grep -E ' O (\.data|\.bss|\*COM\*)[[:space:]]' | awk '{print $NF}' |
    grep -vE "^($allowed)(\.[0-9]+)?$" || true)
  [ -z "$found" ] || { echo "mutable globals:"; echo "$found"; return 1; }
}
if nm "$build/librlx.a" 2>/dev/null | grep -q __asan; then skip "mutable globals (sanitized build)"; else step "no mutable globals" mutable; fi

# A new row of a table compiles little again, the check of that sees a header that is included too widely, and a code that
# no row has doesn't link.
step "a new operator or diagnostic compiles few objects" tests/hygiene/rebuilds.sh "$build"
read_by() { # FILE COUNT OBJ: lists of what objects include, of COUNT sources that are there, each with FILE
  ls analyzer/*/*.c | head -n "$2" | while read -r source; do
    mkdir -p "$3/$(dirname "$source")" && echo "x.o: $1" >>"$3/${source%.c}.d"
  done
}
too_many() {
  local made seen=1
  made=$(mktemp -d) && mkdir "$made/obj" || return 1
  read_by analyzer/diag/diags_run.def 11 "$made/obj"
  tests/hygiene/rebuilds.sh "$made" | grep -q 'diags_run.def compiles 11 objects' || seen=0
  read_by analyzer/ops/reduce.def 26 "$made/obj"
  echo "x.o: analyzer/ops/reduce.def" >"$made/obj/gone.d"
  tests/hygiene/rebuilds.sh "$made" | grep -q 'reduce.def compiles 26 objects' || seen=0
  rm -r "$made"
  [ $seen = 1 ]
}
step "too many objects are seen" too_many
code_links() { # ID
  printf '#include "analyzer/diag/diag.h"\nint main(void) { return RLX_DIAG_ID(%s) == 0; }\n' "$1" |
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -I. -x c - -x none "$build/librlx.a" $(pkg-config --libs libutf8proc) -o /dev/null 2>&1
}
unknown_code() {
  local said
  code_links SYNTAX || return 1
  said=$(code_links NO_SUCH_ROW) && return 1
  grep -q 'undefined.*rlx_diag_id_NO_SUCH_ROW' <<<"$said"
}
if nm "$build/librlx.a" 2>/dev/null | grep -q __asan; then skip "unknown codes (sanitized build)"; else step "a code that no row has does not link" unknown_code; fi

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

uncommented() { # a file says what it is for before anything else; grammar/src is generated but for the scanner
  local file found=0
  while read -r file; do
    case $(head -c 2 "$file") in //|/\*) ;; *) echo "$file: does not begin with a comment"; found=1 ;; esac
  done < <(git ls-files '*.c' '*.h' | grep -vE '^grammar/src/(parser\.c|tree_sitter/)')
  return $found
}
if git rev-parse --git-dir >/dev/null 2>&1; then step "every file begins with a comment" uncommented; else skip "opening comments (no git)"; fi

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
