#!/usr/bin/env bash
# Makes the generated files again and fails when one differs. Exit 77: the tool is not here.
# The tree-sitter CLI is pinned: another version writes another parser.c.
set -u
cd "$(dirname "$0")/.." || exit 2
version=0.27.1
[ -f grammar/grammar.js ] || { echo "no grammar yet"; exit 77; }
cli=build/tools/bin/tree-sitter
have=$(command -v tree-sitter) && [ "$("$have" --version | awk '{print $2}')" = $version ] && { mkdir -p build/tools/bin; ln -sf "$have" $cli; }
if [ ! -x $cli ] || [ "$($cli --version | awk '{print $2}')" != $version ]; then
  command -v cargo >/dev/null || { echo "no cargo, so no tree-sitter CLI"; exit 77; }
  echo "building tree-sitter CLI $version"
  # Not optimized: it makes one parser, in seconds, and compiles in less than half of the time.
  cargo install -q --locked --debug --root build/tools tree-sitter-cli@$version || exit 1
fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp -r grammar/. "$work/"
(cd "$work" && "$OLDPWD/$cli" generate --abi 14 --js-runtime native) || exit 1
diff -rq grammar/src "$work/src" || { echo "grammar/src is stale: tree-sitter generate --abi 14 --js-runtime native in grammar/"; exit 1; }
python3 grammar/gen_symbols.py --check || { echo "grammar/symbols.h is stale: see grammar/gen_symbols.py"; exit 1; }
# Generators of other folders: tools/generate_NAME.* with --check.
for g in tools/generate_*; do
  [ ! -x "$g" ] || "$g" --check || { echo "$g: its output is stale"; exit 1; }
done
