"""Makes the rows of analyzer/words/script_intrinsics.def: the operators that `T.call_intrin` finds by name in the wheels.

    python tests/tvm/script_intrinsics.py PYTHON_0_25 PYTHON_0_27 > analyzer/words/script_intrinsics.def
"""
import subprocess
import sys

HEADER = """// Operators of TensorIR that are registered in the wheels of Apache TVM, made by tests/tvm/script_intrinsics.py: T.call_intrin finds no others.
//
// RLX_SCRIPT_INTRINSIC(name, since, until, is_impure)
//   name          behind `tirx.`
//   since, until  the dialects that have it, as RlxDialect has them: 025, 027
//   is_impure     1: TVM counts that it does more than to give a value (TCallEffectKind), so that no pure function of Relax calls it
// Sorted by name.
"""
LIST = """
from tvm import ir, tirx
from tvm.script import tirx as T
for name in ir.Op.list_op_names():
    if name.startswith("tirx."):
        effect = ir.Op.get(name).get_attr("TCallEffectKind")
        print(name, int(effect is not None and int(effect) > 1))  # beyond an annotation and a pure function
"""


def main():
    found = [dict(line.split() for line in subprocess.run([python, "-c", LIST], capture_output=True, text=True, check=True).stdout.splitlines()) for python in sys.argv[1:3]]
    print(HEADER, end="")
    for name in sorted(set(found[0]) | set(found[1]), key=str.encode):
        impure = found[1].get(name) or found[0][name]
        print(f'RLX_SCRIPT_INTRINSIC("{name.removeprefix("tirx.")}", {"025" if name in found[0] else "027"}, {"027" if name in found[1] else "025"}, {impure})')


if __name__ == "__main__":
    main()
