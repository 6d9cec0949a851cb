#!/usr/bin/env bash
# Runs suites and prints one line each, then what is counted apart, then a closing "N passed, N failed, N skipped".
# usage: tests/run.sh quick|check|test|extra|update     (BUILD=folder)
set -u
cd "$(dirname "$0")/.." || exit 2
what=${1:-check}
build=${BUILD:-build}
export RLX_STRICT=1 BUILD=$build RLX=$PWD/$build/rlx
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0}
passed=0 failed=0 skipped=0
skipped_names=()
declare -A apart
logs=$build/logs; mkdir -p "$logs"

# count NAME PASSED FAILED SKIPPED SECONDS
count() {
  passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
  printf '%-28s %5d passed %4d failed %4d skipped  %4ds\n' "$1" "$2" "$3" "$4" "$5"
}
skip() { skipped=$((skipped + 1)); skipped_names+=("$1: $2"); printf '%-28s skipped: %s\n' "$1" "$2"; }

# cmocka programs: one line per folder, the log of what fails.
programs() { # NAME FOLDER
  local name=$1 start=$SECONDS p=0 f=0 s=0 source program log n
  compgen -G "$2/*.c" >/dev/null || { return 0; }
  for source in "$2"/*.c; do
    program=$build/${source%.c}
    log=$logs/$(echo "${source%.c}" | tr / -).log
    [ -x "$program" ] || { echo "  $program is not built"; f=$((f + 1)); continue; }
    timeout "${RLX_TEST_TIMEOUT:-300}" "$program" >"$log" 2>&1; local code=$?
    n=$(grep -acE '^\[       OK ' "$log"); p=$((p + n))
    n=$(grep -acE '^\[  SKIPPED \] [^ ]*$' "$log"); s=$((s + n))
    n=$(grep -acE '^\[  FAILED  \] [^0-9]' "$log"); n=$(( (n + 1) / 2 ))
    if [ $code -ne 0 ] && [ "$n" -eq 0 ]; then n=1; fi
    if [ $code -ne 0 ]; then echo "  FAILED $program (exit $code); $log:"; tail -25 "$log" | sed 's/^/    /'; f=$((f + n)); fi
  done
  count "$name" $p $f $s $((SECONDS - start))
}

# A script that ends with a line "N passed, N failed, N skipped". What it counts in thousands it says in a line
# "apart: N WHAT" before: these stand in a line of their own, so that they don't drown the tests in the closing one.
script() { # NAME COMMAND…
  local name=$1 start=$SECONDS log=$logs/$1.log; shift
  "$@" >"$log" 2>&1; local code=$?
  local line; line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -1)
  local p=0 f=0 s=0
  [ -z "$line" ] || read -r p f s < <(echo "$line" | sed -E 's/([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped/\1 \2 \3/')
  if [ $code -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
  [ "$f" -eq 0 ] || { echo "  FAILED $*; $log:"; tail -40 "$log" | sed 's/^/    /'; }
  count "$name" "$p" "$f" "$s" $((SECONDS - start))
  local n what
  while read -r _ n what; do apart[$what]=$((${apart[$what]:-0} + n)); done < <(grep -aE '^apart: [0-9]+ ' "$log")
  [ "$s" -eq 0 ] || while read -r l; do skipped_names+=("$name:${l#skipped}"); done < <(grep -aE '^skipped' "$log" | head -5)
}

python() { if [ -x build/venv/bin/python ]; then echo build/venv/bin/python; else command -v python3; fi; }

# pytest over a folder; its closing line says what happened.
pytests() { # NAME FOLDER
  local name=$1 start=$SECONDS log=$logs/$1.log
  compgen -G "$2/test_*.py" >/dev/null || return 0
  if ! "$(python)" -c 'import pytest' 2>/dev/null; then skip "$name" "no pytest (tools/setup.sh test)"; return; fi
  "$(python)" -m pytest -q -rs -p no:cacheprovider "$2" >"$log" 2>&1; local code=$?
  local last; last=$(tail -1 "$log")
  local p f s e
  p=$(grep -oE '[0-9]+ passed' <<<"$last" | grep -oE '[0-9]+'); f=$(grep -oE '[0-9]+ failed' <<<"$last" | grep -oE '[0-9]+')
  s=$(grep -oE '[0-9]+ skipped' <<<"$last" | grep -oE '[0-9]+'); e=$(grep -oE '[0-9]+ errors?' <<<"$last" | grep -oE '[0-9]+')
  f=$((${f:-0} + ${e:-0}))
  [ $code -eq 0 ] || [ $f -gt 0 ] || f=1
  [ "$f" -eq 0 ] || { echo "  FAILED $2; $log:"; tail -40 "$log" | sed 's/^/    /'; }
  grep -aE '^SKIPPED' "$log" | sed 's/^/  /'
  count "$name" "${p:-0}" "$f" "${s:-0}" $((SECONDS - start))
}

goldens() { [ -f tests/golden/run.py ] && script golden "$(python)" tests/golden/run.py "$@"; }

case $what in
quick)
  programs unit tests/unit
  goldens
  script cli tests/cli/run.sh
  script ops tests/ops/run.sh
  script rewrite tests/rewrite/run.sh
  ;;
update)
  "$(python)" tests/golden/run.py --update
  for s in tests/*/update.sh; do [ -x "$s" ] && "$s"; done
  exit 0
  ;;
check|test)
  programs unit tests/unit
  programs prop tests/prop
  programs jit tests/jit
  goldens
  for s in tests/*/run.sh; do [ -x "$s" ] && script "$(basename "$(dirname "$s")")" "$s"; done
  if [ "$what" = test ]; then
    for d in tests/*/; do d=${d%/}; pytests "$(basename "$d")-py" "$d"; done
  fi
  ;;
extra)
  for s in tests/*/extra.sh; do [ -x "$s" ] && script "$(basename "$(dirname "$s")")-extra" "$s"; done
  ;;
*) echo "usage: tests/run.sh quick|check|test|extra|update" >&2; exit 2 ;;
esac

for s in "${skipped_names[@]:-}"; do [ -z "$s" ] || echo "skipped $s"; done
for what in "${!apart[@]}"; do echo "apart from these: ${apart[$what]} $what"; done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
