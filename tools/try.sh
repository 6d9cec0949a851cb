#!/usr/bin/env bash
# `make try`: what rlx does, on the examples: checks them, catches mistakes, explains one, evaluates. Shows every command
# before its answer. Fails when a correct example is not clean, a mistake is not caught or an evaluation stops.
set -u
cd "$(dirname "$0")/.." || exit 2
rlx=${BUILD:-build}/rlx
examples=examples
status=0
bold="" plain=""
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\033[1m' plain=$'\033[0m'; fi

has() { grep -q "RLX_COMMAND($1," cli/commands.def; }
title() { printf '\n%s== %s ==%s\n' "$bold" "$*" "$plain"; }
# show EXPECTED-EXIT COMMAND…
show() {
  local want=$1; shift
  printf '%s$ %s%s\n' "$bold" "$*" "$plain"
  "$@"; local code=$?
  [ $code -eq "$want" ] || { echo "exit $code, expected $want" >&2; status=1; }
}
# head_of LINES EXPECTED-EXIT COMMAND…: the first lines of its answer.
head_of() {
  local lines=$1 want=$2 text code; shift 2
  printf '%s$ %s%s\n' "$bold" "$*" "$plain"
  text=$("$@" 2>&1); code=$?
  echo "$text" | head -n "$lines"
  [ "$(echo "$text" | wc -l)" -le "$lines" ] || echo "  … ($(echo "$text" | wc -l) lines)"
  [ $code -eq "$want" ] || { echo "exit $code, expected $want" >&2; status=1; }
}

show 0 "$rlx" version
if has infer; then
  title "what rlx knows of every binding"
  head_of 24 0 "$rlx" infer $examples/mlp.py
fi
if has check; then
  title "correct scripts are clean"
  good=$(ls $examples/*.py | grep -v mistakes)
  # shellcheck disable=SC2086
  show 0 "$rlx" check $good
  title "mistakes are caught, with the place, the reason and the fix"
  head_of 30 1 "$rlx" check $examples/mistakes.py
fi
if has explain; then
  title "every code and operator has a page"
  head_of 20 0 "$rlx" explain permute_dims
fi
if has run && [ -f "${BUILD:-build}/librlx-llvm.so" ]; then
  title "functions are compiled and evaluated"
  # The commands that the examples name in their own comments, continuation lines joined.
  commands=$(cat $examples/*.py | sed -n '/^#   rlx run/,/[^\\]$/p' | sed -e 's/^# *//' -e 's/ *\\$/ \\/' |
    awk '{ if (sub(/\\$/, "")) printf "%s", $0; else print }' | grep '^rlx run')
  while read -r _ command; do
    eval "head_of 12 0 $rlx $command"
  done <<<"$commands"
elif has run; then
  title "not shown: evaluation (no LLVM 15 to 19 was found)"
fi
if has repl && [ -f "${BUILD:-build}/librlx-llvm.so" ]; then
  title "the REPL, here fed from a pipe"
  printf 'x = R.ones((2, 3), "float32")\ny = R.add(x, R.const(1.5, "float32"))\ny\n' >"${BUILD:-build}/try.repl"
  show 0 sh -c "$rlx repl < ${BUILD:-build}/try.repl"
fi
if has lsp; then
  title "the language server"
  echo "$rlx lsp      docs/editors.md sets it up in VS Code, Neovim, Emacs and Helix"
fi
echo
[ $status -eq 0 ] && echo "All of this is $rlx; '$rlx help' lists the commands." || echo "make try: something above is not as it should be" >&2
exit $status
