# What a function returns beside a field whose making failed is not asked by its callers: the mistake is told where it is.
# rlx-golden: check
from tvm.script import relax as R


@R.function
def pair(x: R.Tensor((4,), "float32")):
    y = R.add(x, x)
    return (R.epx(x), (y, missing))
    #!        ^^^ error[RLX0203]: `R.epx` does not exist; did you mean `R.exp`?
    #!     fix: change to `R.exp`
    #!                    ^^^^^^^ error[RLX0201]: `missing` is not defined
    #!     fix: change to `y`


@R.function
def user(x: R.Tensor((4,), "float32")):
    both = pair(x)
    a = R.add(both[0], x)
    b = R.matmul(both[1][1], both[1][0])
    return R.concat([a, b], axis=0)
