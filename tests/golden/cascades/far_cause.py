# One mistake stays one, however much of the statement stands between it and what follows from it.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tir as T


@R.function
def repeated(x: R.Tensor((4,), "float32")):
    y = R.add(x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x, x1=x)
    #!                 ^^ error[RLX0101]: this keyword argument is given twice
    return y
