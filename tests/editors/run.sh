#!/usr/bin/env bash
# Real editors against the build's language server: Neovim headless and Emacs (eglot) in batch mode, each if
# installed. A test is a line "ok NAME" or "FAIL NAME - reason" of the editor's script.
set -u
cd "$(dirname "$0")/../.." || exit 2
export RLX=${RLX:-$PWD/${BUILD:-build}/rlx}
passed=0 failed=0 skipped=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch XDG_STATE_HOME=$scratch XDG_CACHE_HOME=$scratch XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch
cp -r examples "$scratch/"
export EXAMPLES=$scratch/examples

skip() { skipped=$((skipped + 1)); echo "skipped $1: $2"; }

# editor NAME PROGRAM ARGUMENTS…
editor() {
  local name=$1 out; shift
  if ! command -v "$1" >/dev/null; then skip "$name" "$1 is not installed"; return; fi
  out=$(timeout 1800 "$@" 2>"$scratch/stderr"); local code=$?
  echo "== $name"; echo "$out"
  passed=$((passed + $(grep -c '^ok ' <<<"$out")))
  local f; f=$(grep -c '^FAIL ' <<<"$out")
  if [ $code -ne 0 ] && [ "$f" -eq 0 ]; then f=1; echo "exit $code"; fi
  if [ "$f" -ne 0 ]; then tail -20 "$scratch/stderr"; fi
  failed=$((failed + f))
}

# The snippets of docs/editors.md, with this build's program on PATH.
snippet() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" docs/editors.md | sed '/^```/d' >"$2"; }
export PATH=$(dirname "$RLX"):$PATH
snippet lua "$scratch/init.lua"
snippet elisp "$scratch/init.el"

if ! grep -q 'RLX_COMMAND(lsp,' cli/commands.def; then
  skip editors "this rlx has no lsp command"
else
  editor neovim nvim --headless -u NONE -i NONE -n -c "luafile tests/editors/nvim_test.lua"
  editor neovim-docs nvim --headless -u "$scratch/init.lua" -i NONE -n "$EXAMPLES/mistakes.py" \
    -c "luafile tests/editors/nvim_docs_test.lua"
  if command -v emacs >/dev/null && ! emacs --batch --eval '(progn (package-initialize) (require (quote eglot)))' 2>/dev/null; then
    skip emacs "this Emacs has no eglot"
  else
    editor emacs emacs --batch -l tests/editors/emacs_test.el
  fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
