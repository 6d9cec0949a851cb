# The package tvm.tirx has the classes of the IR, not what only the script's namespace has.
import tvm
from tvm import tirx
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    a = R.call_dps_packed("g", (x,), R.Tensor((tirx.cast(n, "int64") + 1,), "float32"))
    #!                                         ^^^^^^^^^ error[RLX0203]: `tirx.cast` does not exist; the script's namespace has it: `T.cast`
    #!     fix: change to `T.cast`
    #! a: R.Tensor(dtype="float32", ndim=1)
    b = R.call_dps_packed("g", (x,), R.Tensor((tvm.tirx.cast(n, "int64"),), "float32"))
    #!                                         ^^^^^^^^^^^^^ error[RLX0203]: `tirx.cast` does not exist; the script's namespace has it: `T.cast`
    #!     fix: change to `T.cast`
    #! b: R.Tensor(dtype="float32", ndim=1)
    c = R.call_dps_packed("g", (x,), R.Tensor((tirx.Cast("int64", n),), "float32"))
    #! c: R.Tensor(({tirx.Cast("int64", n)},), dtype="float32")
    d = R.call_dps_packed("g", (x,), R.Tensor((tirx.max(n, 3),), "float32"))
    #! d: R.Tensor(({tirx.max(n, 3)},), dtype="float32")
    return (a, b, c, d)
