#!/usr/bin/env bash
# A while of fuzzing for each target: libFuzzer under ASan and UBSan where clang has it, random changes of the seeds otherwise.
# FUZZ_SECONDS for each (30). A finding is kept, named, and fails its target.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} seconds=${FUZZ_SECONDS:-30}
passed=0 failed=0
libfuzzer() { compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/*/libclang_rt.fuzzer*.a' >/dev/null; }
[ -z "${FUZZ_PLAIN:-}" ] && libfuzzer && make -s fuzz-build >"$build/logs/fuzz-build.log" 2>&1 && fuzzer=libFuzzer || fuzzer=plain
echo "with $fuzzer, $seconds s each"
for source in tests/fuzz/fuzz_*.c; do
  name=$(basename "$source" .c)
  if [ $fuzzer = libFuzzer ]; then
    timeout $((seconds * 10 + 600)) python3 tests/fuzz/campaign.py --build build-fuzz --turn "$seconds" "$name" >"$build/logs/$name.log" 2>&1
  else
    make -s BUILD="$build" "$build/tests/fuzz/$name" >"$build/logs/$name.log" 2>&1 &&
      seeds=$(mktemp -d) && python3 tests/fuzz/seeds.py "$name" "$seeds/files" "$seeds/words" &&
      timeout $((seconds * 10 + 600)) "$build/tests/fuzz/$name" --mutate "$seconds" "$build/$name.input" "$seeds/words" "$RANDOM" "$seeds"/files/* >>"$build/logs/$name.log" 2>&1
  fi
  if [ $? -eq 0 ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAILED: $name; $build/logs/$name.log:"; tail -20 "$build/logs/$name.log"
    [ $fuzzer = libFuzzer ] || echo "its input: $build/$name.input"
  fi
  rm -rf "${seeds:-}"; seeds=
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
