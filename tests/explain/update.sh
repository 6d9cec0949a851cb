#!/usr/bin/env bash
# Makes the generated files again: spellings first, since the program is built from them.
set -eu
cd "$(dirname "$0")/../.."
tools/op_spellings.sh >build/spellings.def && mv build/spellings.def analyzer/ops/spellings.def
rlx=${RLX:-build/rlx}
"$rlx" explain --all-markdown diagnostics >docs/diagnostics.md
"$rlx" explain --all-markdown settings >docs/configuration.md
"$rlx" explain --all-markdown dialects >docs/dialects.md
"$rlx" explain --all-markdown operators >docs/operators.md
