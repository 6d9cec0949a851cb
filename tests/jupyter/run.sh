#!/bin/sh
# The Jupyter kernel as notebooks use it: jupyter_kernel_test's checks, and a notebook that nbclient executes.
cd "$(dirname "$0")/../.." || exit 2
RLX=${RLX:-$PWD/${BUILD:-build}/rlx}
python=${PYTHON:-build/venv/bin/python}
[ -f "$(dirname "$RLX")/librlx-llvm.so" ] || { echo "skipped: no librlx-llvm.so"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
"$python" -c 'import ipykernel, jupyter_kernel_test, nbclient' 2>/dev/null || { echo "skipped: tools/setup.sh test installs ipykernel, jupyter_kernel_test and nbclient"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
export RLX PYTHONPATH="$PWD/editors/jupyter"
exec "$python" tests/jupyter/run.py
