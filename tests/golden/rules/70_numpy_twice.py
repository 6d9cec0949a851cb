# Arguments that numpy gets twice, and its letters for dtypes.
import numpy as np
from tvm.script import relax as R


@R.function
def twice(x: R.Tensor((3,), "float32")):
    a = R.const(np.full((3,), 2.0, "float32", dtype="float32"))
    #!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: the argument `dtype` is given twice
    #! a: R.Tensor
    b = R.const(np.eye(3, 3, M=3))
    #!          ^^^^^^^^^^^^^^^^^ error[RLX0335]: numpy raises an error here: the argument `M` is given twice
    #! b: R.Tensor
    c = R.const(1, "n")
    #! c: R.Tensor((), dtype="int64")
    d = R.const(1, "N")
    #! d: R.Tensor((), dtype="uint64")
    return x
