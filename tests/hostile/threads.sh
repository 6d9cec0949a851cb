#!/usr/bin/env bash
# Threads of rlx check, of the worker, of the JIT, of the prompt and of the server under ThreadSanitizer: no report. Builds a second time,
# into build-tsan. Not of tests/jit/bodies.c: a recursion of 100,000 calls is deeper than what the sanitizer keeps of a stack.
set -u
cd "$(dirname "$0")/../.." || exit 2
passed=0 failed=0
step() { local what=$1; shift; if "$@" >/dev/null 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi; }
programs=(standing plans steps tune schedules)
make -s -j2 BUILD=build-tsan SANITIZE=-fsanitize=thread OPTIMIZE='-O1 -g' all "${programs[@]/#/build-tsan/tests/jit/}" build-tsan/tests/prop/schedule_random >/dev/null 2>&1 || { echo "skipped: no build under ThreadSanitizer"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
logs=$(mktemp -d) && trap 'rm -rf "$logs"' EXIT
export RLX=$PWD/build-tsan/rlx TSAN_OPTIONS="exitcode=66 log_path=$logs/report"
"$RLX" check --no-cache --jobs=4 tests/golden examples >/dev/null 2>&1
step "rlx check ends as without the sanitizer" test $? -le 2
for _ in 1 2; do "$RLX" check --cache-dir="$logs/cache" --jobs=8 tests/golden examples >/dev/null 2>&1; done
step "rlx check with a cache does" test $? -le 2
cp -r tests/golden/sinfo "$logs/golden"
"$RLX" check --no-cache --isolated --jobs=8 --fix --unsafe-fixes "$logs/golden" >/dev/null 2>&1
step "rlx check --fix does" test $? -le 2
cat >"$logs/script.py" <<'PYTHON'
from tvm.script import relax as R
@R.function
def main(x: R.Tensor((300, 300), "float32")):
    return R.sum(R.add(R.matmul(x, x), x), axis=0)
PYTHON
step "the worker with four threads" "$RLX" run "$logs/script.py" "x=300x300:float32:random(1)" --threads=4 --repeat=20
for program in "${programs[@]}"; do step "tests/jit/$program.c" env RLX_THREADS=4 setarch -R "build-tsan/tests/jit/$program"; done
step "schedules and their parallel loops" env RLX_THREADS=4 RLX_WALKS=30 setarch -R build-tsan/tests/prop/schedule_random
step "the prompt" "$RLX" repl --isolated --keep-going --threads=4 <<'ENTRIES'
x = R.ones((300, 300), "float32")
y = R.matmul(x, x)
R.add(R.const([1.0, 2.0]), R.const([3.0, 4.0]))
:time R.sum(R.add(y, x))
R.add(R.const([1.0, 2.0]), R.const([5.0, 4.0]))
ENTRIES
[ ! -x build/venv/bin/python ] || step "the server" build/venv/bin/python -m pytest -q -p no:cacheprovider \
  tests/lsp/test_{flow,hostile,beside,views,workspace,notebooks,session,settings}.py
step "no report" test -z "$(ls "$logs"/report* 2>/dev/null)"
cat "$logs"/report* 2>/dev/null | head -60
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
