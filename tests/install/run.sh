#!/usr/bin/env bash
# `make install` into an empty folder gives a program that works there, finds its plug-in, and uninstalls without a rest.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
to=$(mktemp -d); trap 'rm -rf "$to"' EXIT
passed=0 failed=0
check() { local what=$1; shift; if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi; }
make -s install BUILD="$build" ${SAN:+SAN=$SAN} PREFIX=/usr DESTDIR="$to" >/dev/null
check "the program runs" test "$("$to/usr/bin/rlx" version | head -1 | cut -d' ' -f1)" = rlx
check "the licence is there" cmp -s LICENSE "$to/usr/share/doc/rlx/LICENSE"
# Links of the README and the CHANGELOG to files of the documentation lead somewhere.
dead_links() {
  local folder=$1 page link
  for page in README.md CHANGELOG.md; do
    grep -oE '\]\((docs/)?[a-zA-Z-]+\.(md|png|svg)[)#]' "$folder/$page" | sed -E 's/^..(.*).$/\1/' | sort -u |
      while read -r link; do [ -f "$folder/$link" ] || echo "$page: no $link"; done
  done
}
check "pages that are linked are there" test -z "$(dead_links "$to/usr/share/doc/rlx")"
if [ -f "$build/librlx-llvm.so" ]; then
  check "the plug-in is there" cmp -s "$build/librlx-llvm.so" "$to/usr/lib/rlx/librlx-llvm.so"
  check "the program does not link LLVM" sh -c "! readelf -d '$to/usr/bin/rlx' | grep -q LLVM"
fi
make -s uninstall PREFIX=/usr DESTDIR="$to" >/dev/null
check "nothing is left" test -z "$(find "$to" -type f)"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
