#!/usr/bin/env bash
# The properties over all scripts of ../shared/corpus instead of a sample.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
passed=0 failed=0
for name in report_fixes report_cascades rewrite_normalize_corpus; do
  if RLX_WHOLE=1 "$build/tests/prop/$name"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
# A hundred thousand edits, comments and white space among them: an edited file is what its text is afresh.
if RLX_WHOLE=1 RLX_SEED=2 "$build/tests/prop/function_incremental"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
