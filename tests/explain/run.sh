#!/usr/bin/env bash
# Generated files that come from the tables are current, and every operator that ../shared knows has a row.
set -u
cd "$(dirname "$0")/../.." || exit 2
rlx=${RLX:-build/rlx}
passed=0 failed=0 skipped=0

current() { # FILE COMMAND…
  local file=$1; shift
  if diff -q <("$@") "$file" >/dev/null; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$file is stale: $* > $file"; fi
}
current docs/diagnostics.md "$rlx" explain --all-markdown diagnostics
current docs/configuration.md "$rlx" explain --all-markdown settings
current docs/dialects.md "$rlx" explain --all-markdown dialects
current docs/numpy.md "$rlx" explain --all-markdown numpy
current docs/operators.md "$rlx" explain --all-markdown operators
current analyzer/ops/spellings.def tools/op_spellings.sh

facts=../shared/ops/ops.json
if [ -f $facts ] && command -v python3 >/dev/null; then
  missing=$(python3 - "$facts" <(tools/op_spellings.sh) <<'P'
import json, re, sys
known = set(re.findall(r'RLX_SPELLING\("([^"]+)"', open(sys.argv[2]).read()))
print(" ".join(sorted({s for r in json.load(open(sys.argv[1]))["ops"] for s in r["script"] if s[2:] not in known})))
P
)
  if [ -z "$missing" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "operators without a row: $missing"; fi
else
  skipped=$((skipped + 1)); echo "skipped: no ../shared/ops"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
