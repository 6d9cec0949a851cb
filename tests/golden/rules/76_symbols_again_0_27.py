# rlx-golden: check
# From 0.26 on a scalar may be declared as a symbolic variable of its dtype once more: it stays what it is.
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Tensor(("n", "m"), "float32"), k: T.int64) -> R.Any:
    m = m
    n = T.int64()
    m = T.int64()
    k = T.int64()
    half = n // 2
    half = T.int64()
    y = R.reshape(x, (m, n))
    return y


@R.function
def refused(x: R.Tensor(("n",), "float32"), k: T.int32) -> R.Any:
    k = T.int64()
#!  ^ error[RLX0210]: `k` is a Relax variable already, it can't become a symbolic variable of dtype int64
    return x
