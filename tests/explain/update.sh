#!/usr/bin/env bash
# Makes the generated pages again.
set -eu
cd "$(dirname "$0")/../.."
rlx=${RLX:-build/rlx}
"$rlx" explain --all-markdown diagnostics >docs/diagnostics.md
"$rlx" explain --all-markdown settings >docs/configuration.md
"$rlx" explain --all-markdown dialects >docs/dialects.md
"$rlx" explain --all-markdown numpy >docs/numpy.md
"$rlx" explain --all-markdown operators >docs/operators.md
