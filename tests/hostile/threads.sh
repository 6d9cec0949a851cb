#!/usr/bin/env bash
# Threads of rlx check, of the worker and of the server under ThreadSanitizer: no report. Builds a second time, into build-tsan.
set -u
cd "$(dirname "$0")/../.." || exit 2
passed=0 failed=0
step() { local what=$1; shift; if "$@" >/dev/null 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi; }
make -s -j2 BUILD=build-tsan SANITIZE=-fsanitize=thread OPTIMIZE='-O1 -g' all >/dev/null 2>&1 || { echo "skipped: no build under ThreadSanitizer"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
logs=$(mktemp -d) && trap 'rm -rf "$logs"' EXIT
export RLX=$PWD/build-tsan/rlx TSAN_OPTIONS="exitcode=66 log_path=$logs/report"
"$RLX" check --no-cache --jobs=4 tests/golden examples >/dev/null 2>&1
step "rlx check ends as without the sanitizer" test $? -le 2
cat >"$logs/script.py" <<'PYTHON'
from tvm.script import relax as R
@R.function
def main(x: R.Tensor((300, 300), "float32")):
    return R.sum(R.add(R.matmul(x, x), x), axis=0)
PYTHON
step "the worker with four threads" "$RLX" run "$logs/script.py" "x=300x300:float32:random(1)" --threads=4 --repeat=20
[ ! -x build/venv/bin/python ] || step "the server" build/venv/bin/python -m pytest -q -p no:cacheprovider tests/lsp/test_flow.py tests/lsp/test_hostile.py
step "no report" test -z "$(ls "$logs"/report* 2>/dev/null)"
cat "$logs"/report* 2>/dev/null | head -60
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
