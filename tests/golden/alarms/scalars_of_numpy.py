# Scalars of numpy have numpy's operators and attributes, in statements of the file and where a script reads them.
import numpy as np
from tvm.script import relax as R

HALF = np.float16(0.5)
EIGHT = np.int64(8)
print(divmod(EIGHT, 3), abs(HALF), +HALF, EIGHT % 2.5, HALF.item(), EIGHT.tolist(), np.int32() > 0, np.float64 > np.dtype("int8"))
KIND = np.dtype("int8", metadata={"a": 1})


@R.function
def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
    y = R.add(x, R.const(HALF.item(), "float32"))
    #! y: R.Tensor(dtype="float32")
    return y
