#!/usr/bin/env bash
# rlx against TVM's wheel: the answers written down in tests/ops are still TVM's (operators.py), and random variations of the operator
# cases and of the Relax programs of ../shared (differ.py, mutants.py); steps of schedules on random PrimFuncs (schedules.py), and the
# cause of those that rlx refuses (refusals.py); which texts are well formed (wellformed.py); operators' values with random attributes (attributes.py, calls.py); values
# of PrimFuncs' scripts at places where they may stand (matrix.py), arguments of Relax's functions and syntax at every place (sweep_relax.py), functions
# of T with each kind of argument and other parts of PrimFuncs row by row (sweep.py); the
# CPU time of schedule primitives is below TVM's (schedule_speed.py).
# Where RLX_WILD names folders with the sources of projects, their scripts are asked, too (wild.py); RLX_TVM_027 is a Python that has apache-tvm 0.27.
set -u
cd "$(dirname "$0")/../.." || exit 2
rlx=${RLX:-$PWD/${BUILD:-build}/rlx}
python=$(tests/tvm/venv.sh 0.25) || { echo "skipped: apache-tvm 0.25 does not install or load here"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
passed=0 failed=0 skipped=0
run() { if "$python" "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }
run tests/tvm/operators.py "$rlx"
run tests/tvm/attributes.py "$rlx" --count 1200 --seed "${RLX_SEED:-1}"
run tests/tvm/schedule_speed.py "$rlx" --slower-than 10
run tests/tvm/matrix.py "$rlx" --python 0.25="$python" --count 300 --seed "${RLX_SEED:-1}" --list 5 --max-alarm 7 --max-missed 12
run tests/tvm/sweep_relax.py "$rlx" --python 0.25="$python" --part operators --part words --count 400 --seed "${RLX_SEED:-1}" --list 5 --max-alarm 6 --max-missed 3
run tests/tvm/sweep_relax.py "$rlx" --python 0.25="$python" --part syntax --count 300 --seed "${RLX_SEED:-1}" --list 5 --max-alarm 4 --max-missed 10
run tests/tvm/sweep.py "$rlx" --python 0.25="$python" --part calls --count 400 --seed "${RLX_SEED:-1}" --list 5 --max-alarm 3 --max-missed 12
run tests/tvm/sweep.py "$rlx" --python 0.25="$python" --part buffers places --count 400 --seed "${RLX_SEED:-1}" --list 5 --max-alarm 2 --max-missed 5
# Three scripts of real projects are accepted by the wheels and wrong: docs/differences.md.
if [ -z "${RLX_WILD:-}" ]; then
  echo "skipped: RLX_WILD names no sources of projects"; skipped=$((skipped + 1))
else # shellcheck disable=SC2086 # several folders
  run tests/tvm/wild.py "$rlx" --python 0.25="$python" ${RLX_TVM_027:+--python 0.27="$RLX_TVM_027"} --max-alarm 3 --list 10 $RLX_WILD
fi
if [ ! -d ../shared/ops ]; then
  echo "skipped: no operator cases beside the repository"; skipped=$((skipped + 2))
  echo "$passed passed, $failed failed, $skipped skipped"; exit $((failed > 0))
fi
run tests/tvm/schedules.py "$rlx" --count 60 --seed "${RLX_SEED:-14}" --list 1 --max-looser 2 --max-stricter 4
run tests/tvm/refusals.py "$rlx" --max-open 1
run tests/tvm/wellformed.py "$rlx"
run tests/tvm/differ.py "$rlx" --count 9480 --seed "${RLX_SEED:-1}" --list 3 --max 0.4
run tests/tvm/mutants.py "$rlx" --count 2000 --seed "${RLX_SEED:-1}" --list 3 --max-alarm 0.5 --max-missed 0.5 --min-sinfo 99.8
echo "$passed passed, $failed failed, $skipped skipped"
exit $((failed > 0))
