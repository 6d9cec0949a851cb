#!/usr/bin/env bash
# `make try`: what rlx does, on the examples. Shows each command before its answer.
set -u
cd "$(dirname "$0")/.." || exit 2
rlx=${BUILD:-build}/rlx
has() { grep -q "RLX_COMMAND($1," cli/commands.def; }
show() { printf '\n$ %s\n' "$*"; "$@"; }
show "$rlx" version
