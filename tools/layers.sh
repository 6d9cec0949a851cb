#!/usr/bin/env bash
# Fails on an include that goes against the layers (docs/ARCHITECTURE.md): which folder may include which of ours, and
# which one file may touch which library.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0

# layer FOLDER ALLOWED…: files below FOLDER may include "ALLOWED/…" and their own folder.
layer() {
  local folder=$1; shift
  [ -d "$folder" ] || return 0
  local allowed; allowed=$(IFS='|'; echo "$folder $*" | tr ' ' '|')
  local out
  out=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$folder" --include='*.[ch]' --include='*.def' \
    | grep -vE "include[[:space:]]*\"($allowed)/" | grep -vE 'include[[:space:]]*"(tree_sitter/[a-z]+\.h|[A-Za-z0-9_]+\.(h|def|inc))"')
  [ -z "$out" ] || { echo "layers: $folder may include only: $allowed"; echo "$out"; bad=1; }
}

# only HEADER-REGEX PATH-REGEX: the header may be included by the paths that match, among our folders.
only() {
  local out
  out=$(grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($1)" base analyzer config jit server repl cli --include='*.[ch]' 2>/dev/null \
    | grep -vE "^($2):")
  [ -z "$out" ] || { echo "layers: <$1> belongs to $2"; echo "$out"; bad=1; }
}

layer base
layer analyzer base grammar
layer jit base analyzer
layer config base analyzer
layer server base analyzer jit config
layer repl base analyzer jit
layer cli base grammar analyzer jit server repl config

only 'tree_sitter/api\.h' 'analyzer/syntax/(document|syntax)[a-z_]*\.[ch]'
only 'isl/' 'analyzer/tir/sets[a-z_]*\.[ch]'
only 'llvm-c/' 'jit/llvm/.*'
only '(cjson/)?cJSON\.h' '(server|cli)/.*'
only '(editline/)?readline\.h|histedit\.h' 'repl/.*'

# UTF-16 exists in the server (and base/text, which defines the conversion).
out=$(grep -rnlE 'rlx_(utf16_from_bytes|bytes_from_utf16)' analyzer config jit repl cli --include='*.[ch]' 2>/dev/null)
[ -z "$out" ] || { echo "layers: UTF-16 belongs to the server (cli asks server/position.h)"; echo "$out"; bad=1; }

# LLVM is loaded, never linked.
if [ -x "${BUILD:-build}/rlx" ] && readelf -d "${BUILD:-build}/rlx" 2>/dev/null | grep -q 'NEEDED.*LLVM'; then
  echo "layers: rlx is linked to LLVM"; bad=1
fi
exit $bad
