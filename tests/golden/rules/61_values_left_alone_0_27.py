# rlx-golden: check
# What 0.27 makes expressions of by itself.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def fields(x: R.Tensor((4,), "float32"), s: R.Tensor(("n",), "float32")) -> R.Any:
    n = T.int64()
    a = R.tuple(x, n, n < 2, T.float32(1), "a", 3)
    b = R.tuple((x, n))
    #!          ^^^^^^ error[RLX0446]: R.tuple: `fields` is a tuple, expected a Relax expression
    return a
