# rlx-golden: check
# From 0.26 on an expression has no truth.
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Any:
    a = any((x, y))
    #!       ^ error[RLX0446]: Python's `any`: `argument` is R.Tensor((4,), dtype="float32"), expected a value that Python finds true or false
    b = all([True, y])
    #!             ^ error[RLX0446]: Python's `all`: `argument` is R.Tensor((4,), dtype="float32"), expected a value that Python finds true or false
    c = any([True, y])
    d = sorted([x, y])
    #!             ^ error[RLX0446]: Python's `sorted`: `argument` is R.Tensor((4,), dtype="float32"), expected a number
    e = all([R.const(1), R.shape([2])])
    return x
