#!/usr/bin/env bash
# Prints the path of a Python that has Apache TVM of a release, which is installed below the build folder when it is not there yet;
# exits with 1, and says so, where it does not install or load.
# usage: tests/tvm/venv.sh 0.25|0.27
set -u
cd "$(dirname "$0")/../.." || exit 2
case ${1:-} in # a wheel does not load with every later apache-tvm-ffi that it allows
0.25) wheel=0.25.0 ffi=0.1.12 ;;
0.27) wheel=0.27.0.post1 ffi=0.1.15.post2 ;;
*) echo "usage: tests/tvm/venv.sh 0.25|0.27" >&2; exit 2 ;;
esac
venv=$PWD/${BUILD:-build}/tvm-$wheel
if ! "$venv/bin/python" -c 'import tvm' 2>/dev/null; then
  { python3 -m venv "$venv" && "$venv/bin/pip" -q install "apache-tvm==$wheel" "apache-tvm-ffi==$ffi" && "$venv/bin/python" -c 'import tvm'; } >&2 ||
    { echo "apache-tvm $wheel does not install or load here" >&2; exit 1; }
fi
echo "$venv/bin/python"
