#!/usr/bin/env bash
# What `rlx print` writes for a release, that release reads, and prints in the same words: TVM's wheels over the whole corpus of ../shared.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} rlx=${RLX:-$PWD/${BUILD:-build}/rlx} corpus=../shared/corpus/relax
if [ ! -d $corpus ]; then echo "skipped: no corpus beside the repository"; echo "0 passed, 0 failed, 2 skipped"; exit 0; fi
passed=0 failed=0 skipped=0

one() { # DIALECT LEAST SAME
  local dialect=$1 least=$2 same=$3 python out=$build/print-$1 path
  python=$(tests/tvm/venv.sh "$dialect") || { echo "skipped: apache-tvm of $dialect does not install or load here"; skipped=$((skipped + 1)); return; }
  rm -rf "$out" && mkdir -p "$out"
  for path in $corpus/as-written/*.py $corpus/printed/*.py; do
    "$rlx" print --dialect="$dialect" "$path" >"$out/$(basename "$(dirname "$path")")-$(basename "$path" .py).txt" 2>/dev/null
  done
  if "$python" tests/print/read_with_tvm.py "$out" "$least" "$same" 2>"$out/log"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
one 0.25 0.996 0.985
one 0.27 0.996 0.98
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
