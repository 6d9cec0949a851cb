#!/usr/bin/env bash
# What a sanitizer does not see: an answer that depends on memory nobody has written. The entries of the fuzzers replay their
# seeds, the examples and the goldens under valgrind (memcheck), the commands that print facts of PrimFuncs too.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
command -v valgrind >/dev/null 2>&1 || { echo "skipped: no valgrind (tools/setup.sh extra)"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
# A build for valgrind has no sanitizer of its own: both replace malloc.
nm "$build/rlx" 2>/dev/null | grep -q __asan_init && { echo "skipped: a build with ASan"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
passed=0 failed=0 log=$build/logs/valgrind.err
mkdir -p "$build/logs"
shopt -s nullglob

# watched NAME COMMAND…: what the command itself ends with counts only where it did not end by itself.
watched() {
  local name=$1 code; shift
  timeout 900 valgrind -q --error-exitcode=97 --num-callers=12 "$@" >/dev/null 2>"$log"; code=$?
  if [ $code -le 3 ]; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1)); echo "FAILED: $name (exit $code)"; grep -a '^==' "$log" | head -20
}

for name in analyzer document rpc trace toml; do
  make -s BUILD="$build" "$build/tests/fuzz/fuzz_$name" || { failed=$((failed + 1)); continue; }
  watched "fuzz_$name" "$build/tests/fuzz/fuzz_$name" tests/fuzz/seeds/fuzz_"$name"/* examples/*.py tests/golden/rules/*.py
done
watched check "$build/rlx" check --jobs=1 --no-cache tests/golden examples tests/cli
for file in tests/golden/design/*.py examples/*.py; do
  watched "tir $file" "$build/rlx" tir --verbose "$file"
  watched "normalize $file" "$build/rlx" normalize --diff "$file"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
