#!/usr/bin/env bash
# Runs suites, as many at a time as there are processors (RLX_TEST_JOBS), and prints one line each when it ends, then what is
# counted apart, then a closing "N passed, N failed, N skipped".
# usage: tests/run.sh quick|check|test|extra|update     (BUILD=folder)
set -u
cd "$(dirname "$0")/.." || exit 2
what=${1:-check}
build=${BUILD:-build}
export RLX_STRICT=1 BUILD=$build RLX=$PWD/$build/rlx
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0}
logs=$build/logs; mkdir -p "$logs"
# What the suites say for the closing lines: "count P F S", "apart N WHAT", "skipped WHAT". They run at the same time, so
# each appends whole lines.
tally=$logs/tally; : >"$tally"

# count NAME PASSED FAILED SKIPPED SECONDS
count() {
  echo "count $2 $3 $4" >>"$tally"
  printf '%-28s %5d passed %4d failed %4d skipped  %4ds\n' "$1" "$2" "$3" "$4" "$5"
}
skip() { printf 'count 0 0 1\nskipped %s\n' "$1: $2" >>"$tally"; printf '%-28s skipped: %s\n' "$1" "$2"; }

# Starts a suite as soon as a processor is free for it. It prints what it has to say in one piece, when it has ended.
jobs=${RLX_TEST_JOBS:-$(nproc 2>/dev/null || echo 2)} running=0
suite() { # FUNCTION ARGUMENT…
  if [ "$running" -ge "$jobs" ]; then wait -n; running=$((running - 1)); fi
  { said=$("$@"); printf '%s\n' "$said"; } & running=$((running + 1))
}

# cmocka programs: one line per folder, the log of what fails.
programs() { # NAME FOLDER
  local name=$1 start=$SECONDS p=0 f=0 s=0 source program log n
  compgen -G "$2/*.c" >/dev/null || { return 0; }
  for source in "$2"/*.c; do
    program=$build/${source%.c}
    log=$logs/$(echo "${source%.c}" | tr / -).log
    [ -x "$program" ] || { echo "  $program is not built"; f=$((f + 1)); continue; }
    timeout "${RLX_TEST_TIMEOUT:-3600}" "$program" >"$log" 2>&1; local code=$?
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
  grep -aE '^apart: [0-9]+ ' "$log" | sed 's/^apart:/apart/' >>"$tally"
  [ "$s" -eq 0 ] || grep -aE '^skipped' "$log" | head -5 | sed -E "s/^skipped:?/skipped $name:/" >>"$tally"
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
  suite programs unit tests/unit
  suite goldens
  suite script cli tests/cli/run.sh
  suite script ops tests/ops/run.sh
  suite script rewrite tests/rewrite/run.sh
  suite script hostile tests/hostile/run.sh quick
  ;;
update)
  "$(python)" tests/golden/run.py --update
  for s in tests/*/update.sh; do [ -x "$s" ] && "$s"; done
  exit 0
  ;;
check|test)
  suite programs prop tests/prop # the longest first
  suite programs unit tests/unit
  suite programs jit tests/jit
  suite goldens
  for s in tests/*/run.sh; do [ -x "$s" ] && suite script "$(basename "$(dirname "$s")")" "$s"; done
  if [ "$what" = test ]; then
    for d in tests/*/; do d=${d%/}; suite pytests "$(basename "$d")-py" "$d"; done
  fi
  ;;
extra)
  jobs=1 # some of them time things
  for s in tests/*/extra.sh; do [ -x "$s" ] && suite script "$(basename "$(dirname "$s")")-extra" "$s"; done
  ;;
*) echo "usage: tests/run.sh quick|check|test|extra|update" >&2; exit 2 ;;
esac
wait

grep -a '^skipped ' "$tally"
awk '$1 == "apart" { n = $2; sub(/^apart [0-9]+ /, ""); sum[$0] += n } END { for (w in sum) print "apart from these: " sum[w] " " w }' "$tally"
read -r passed failed skipped < <(awk '$1 == "count" { p += $2; f += $3; s += $4 } END { print p + 0, f + 0, s + 0 }' "$tally")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
