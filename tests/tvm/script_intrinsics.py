"""Makes the rows of analyzer/words/script_intrinsics.def: the operators that `T.call_intrin` finds by name in the wheels.

    python tests/tvm/script_intrinsics.py PYTHON_0_25 PYTHON_0_27 > analyzer/words/script_intrinsics.def
"""
import subprocess
import sys

HEADER = """// Operators of TensorIR that are registered in the wheels of Apache TVM, made by tests/tvm/script_intrinsics.py: T.call_intrin finds no others.
//
// RLX_SCRIPT_INTRINSIC(name, since, until)
//   name          behind `tirx.`
//   since, until  the dialects that have it, as RlxDialect has them: 025, 027
// Sorted by name.
"""
LIST = "from tvm import ir, tirx; from tvm.script import tirx as T; print('\\n'.join(n for n in ir.Op.list_op_names() if n.startswith('tirx.')))"


def main():
    found = [set(subprocess.run([python, "-c", LIST], capture_output=True, text=True, check=True).stdout.split()) for python in sys.argv[1:3]]
    print(HEADER, end="")
    for name in sorted(found[0] | found[1], key=str.encode):
        print(f'RLX_SCRIPT_INTRINSIC("{name.removeprefix("tirx.")}", {"025" if name in found[0] else "027"}, {"027" if name in found[1] else "025"})')


if __name__ == "__main__":
    main()
