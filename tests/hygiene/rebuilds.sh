#!/usr/bin/env bash
# What a new row compiles again, from the compiler's own lists of what each object includes (BUILD/obj/**/*.d): a new
# operator (its row, its spelling, its rule) at most 25 objects, a new diagnostic at most 10. Objects of tests don't count,
# and none that an earlier build left of a source that is gone.
# usage: rebuilds.sh BUILD
set -u
build=${1:?usage: rebuilds.sh BUILD}
[ -n "$(find "$build/obj" -name '*.d' -print -quit 2>/dev/null)" ] || { echo "$build: nothing was built here"; exit 2; }

objects() { # of the program that include FILE or are made from it
  local file list source
  for file in "$@"; do
    grep -rlF --include='*.d' -e "$file" "$build"/obj $([ -d "$build/llvm" ] && echo "$build/llvm")
  done | grep -v "^$build/obj/tests/" | sort -u | while read -r list; do
    source=${list#"$build"/*/}
    [ ! -f "${source%.d}.c" ] || echo "$list"
  done
}

bad=0
held() { # LIMIT WHAT FILE…
  local limit=$1 what=$2 count; shift 2
  count=$(objects "$@" | wc -l)
  if [ "$count" -eq 0 ]; then echo "$what: no object reads $1"; bad=1; fi
  if [ "$count" -gt "$limit" ]; then
    echo "$what compiles $count objects again, more than $limit:"; objects "$@" | sed 's/^/  /;s/\.d$//'; bad=1
  fi
}

for rows in analyzer/ops/*.def; do
  case $rows in */all.def | */spellings.def | */backward.def) continue ;; esac
  held 25 "an operator in $rows" "$rows" "${rows%.def}.c" analyzer/ops/spellings.def
done
for rows in analyzer/diag/*.def; do held 10 "a diagnostic in $rows" "$rows"; done
exit $bad
