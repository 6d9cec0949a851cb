# rlx-golden: check
# rlx: ignore-file[RLX0201, RLX0305]
#!                          ^^^^^^^ hint[RLX0901]: this suppression of `RLX0305` suppresses nothing
#!     fix: remove it
# Of a whole file; `axis-range` is found nowhere.
from tvm.script import relax as R


@R.function
def first(x: R.Tensor((2,), "float32")):
    y = R.abs(z)
    return x


@R.function
def second(x: R.Tensor((2,), "float32")):
    y = R.exp(z)
    w = R.add(x, R.const([1.0, 2.0, 3.0], "float32"))
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.add: shapes (2,) and (3,) can't be broadcast: dimension 0 is 2, dimension 0 of the other is 3
    #!     line 14: `x` is R.Tensor((2,), dtype="float32")
    return x
