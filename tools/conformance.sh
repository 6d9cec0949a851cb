#!/usr/bin/env bash
# Runs ../shared/conformance over build/rlx and prints one table of figures.
#   tools/conformance.sh            all figures
#   tools/conformance.sh --enforce  and holds them to tests/conformance.min (exit 1 below a minimum)
# Lines of tests/conformance.min: "min|max NAME VALUE". Exit 77 without ../shared when enforcing.
set -u
cd "$(dirname "$0")/.." || exit 2
rlx=$PWD/${BUILD:-build}/rlx
enforce=""; [ "${1:-}" != --enforce ] || enforce=yes
shared=../shared
if [ ! -d $shared/conformance ]; then
  echo "conformance: skipped (no $shared)"; [ -z "$enforce" ] || exit 77; exit 0
fi
out=${BUILD:-build}/conformance; mkdir -p "$out"
python=python3; [ ! -x build/venv/bin/python ] || python=build/venv/bin/python
has() { grep -q "RLX_COMMAND($1," cli/commands.def; }
status=0

# run NAME COMMAND-NEEDED SCRIPT ARGS…: as soon as a processor is free for it. Exit 1 of one that gave no figures.
jobs=${RLX_TEST_JOBS:-$(nproc 2>/dev/null || echo 2)} running=0
figures_of() {
  local name=$1 script=$2; shift 2
  rm -f "$out/$name.json"
  timeout 900 $python "$shared/conformance/$script" "$rlx" "$@" --json "$out/$name.json" >"$out/$name.log" 2>&1 || true
  [ -f "$out/$name.json" ] || { echo "$name: gave no figures; $out/$name.log"; tail -3 "$out/$name.log"; return 1; }
}
take_one() { wait -n || status=1; running=$((running - 1)); }
run() {
  local name=$1 need=$2; shift 2
  has "$need" || { echo "$name: skipped (no rlx $need yet)"; return; }
  [ "$running" -lt "$jobs" ] || take_one
  figures_of "$name" "$@" & running=$((running + 1))
}
run tir-schedule schedule tir.py --part legality --part cases --part walks --part dlight --part seed # the longest first
run relax infer relax.py
run numeric run numeric.py --jobs 1
run ops infer ops.py
# The corpus laid out by ../shared/corpus/python/extract.py, if RLX_PYTHON_CORPUS names it; else Python's own library.
run outline outline outline.py "${RLX_PYTHON_CORPUS:-$($python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')}"
run numeric-tir run numeric.py --tir --jobs 1
run numeric-scheduled schedule numeric.py --scheduled --jobs 1
run tir tir tir.py --part analysis --part quiet --part wellformed
while [ "$running" -gt 0 ]; do take_one; done

$python - "$out" tests/conformance.min "$enforce" <<'P'
import json, pathlib, sys
out, minimums, enforce = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
figures = {}
for f in sorted(out.glob("*.json")):
    data = json.loads(f.read_text())
    for k, v in (data.get("figures", data) if isinstance(data, dict) else {}).items():
        if isinstance(v, (int, float)) and not isinstance(v, bool):
            figures[k] = v
rules = {}
if minimums.exists():
    for line in minimums.read_text().splitlines():
        line = line.split("#")[0].split()
        if line:
            rules[line[1]] = (line[0], float(line[2]))
if enforce and not figures and not rules:
    sys.exit(77)
bad = 0
print(f"{'figure':40} {'value':>10}  {'rule':>14}")
for k in sorted(figures):
    rule = rules.get(k)
    text, verdict = "", ""
    if rule:
        text = f"{'>=' if rule[0] == 'min' else '<='} {rule[1]:g}"
        ok = figures[k] >= rule[1] - 1e-9 if rule[0] == "min" else figures[k] <= rule[1] + 1e-9
        verdict = "" if ok else "  BELOW" if rule[0] == "min" else "  ABOVE"
        bad += not ok
    print(f"{k:40} {figures[k]:10.4f}  {text:>14}{verdict}")
for k in sorted(set(rules) - set(figures)):
    print(f"{k:40} {'no figure':>10}"); bad += 1
sys.exit(1 if enforce and bad else 0)
P

code=$?
[ $code -eq 77 ] && [ $status -eq 0 ] && exit 77
[ $code -eq 0 ] && [ $status -eq 0 ]
