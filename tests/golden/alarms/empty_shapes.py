# TVM takes an empty list of R.Shape for none; a rule of R.Callable beside parameters it leaves unread.
from tvm.script import relax as R


@R.function
def shapes(s: R.Shape([], ndim=3), t: R.Shape(values=(), ndim=1)) -> R.Shape((), ndim=3):
    u: R.Shape([], ndim=1) = t
    #! u: R.Shape(ndim=1)
    return s


@R.function
def rules(f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), derive_func="my.rule"), x: R.Tensor((2,), "float32")):
#!                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0367]: an opaque `R.Callable` has no parameters: its result is known to `my.rule` alone
    y = f(x)
    #! y: R.Tensor((2,), dtype="float32")
    return y
