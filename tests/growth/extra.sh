#!/usr/bin/env bash
# All shapes of input at two sizes, and a session of 100,000 edits.
exec "$(dirname "$0")/run.sh" --all 100000
