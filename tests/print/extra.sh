#!/usr/bin/env bash
# What `rlx print` writes for a release, that release reads, and prints in the same words: TVM's wheels over the whole corpus of ../shared.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} rlx=${RLX:-$PWD/${BUILD:-build}/rlx} corpus=../shared/corpus/relax
if [ ! -d $corpus ]; then echo "skipped: no corpus beside the repository"; echo "0 passed, 0 failed, 2 skipped"; exit 0; fi
passed=0 failed=0 skipped=0

one() { # DIALECT WHEEL ITS_FFI LEAST SAME; a wheel does not load with every later apache-tvm-ffi that it allows
  local dialect=$1 wheel=$2 ffi=$3 least=$4 same=$5 venv=$build/tvm-$2 out=$build/print-$1 path
  if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import tvm' 2>/dev/null; then
    python3 -m venv "$venv" && "$venv/bin/pip" -q install "apache-tvm==$wheel" "apache-tvm-ffi==$ffi" && "$venv/bin/python" -c 'import tvm' ||
      { echo "skipped: apache-tvm $wheel does not install or load here"; skipped=$((skipped + 1)); return; }
  fi
  rm -rf "$out" && mkdir -p "$out"
  for path in $corpus/as-written/*.py $corpus/printed/*.py; do
    "$rlx" print --dialect="$dialect" "$path" >"$out/$(basename "$(dirname "$path")")-$(basename "$path" .py).txt" 2>/dev/null
  done
  if "$venv/bin/python" tests/print/read_with_tvm.py "$out" "$least" "$same" 2>"$out/log"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
one 0.25 0.25.0 0.1.12 0.996 0.985
one 0.27 0.27.0.post1 0.1.15.post2 0.996 0.98
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
