# rlx-golden: check
# What stands behind a statement that does not parse is read on; what follows from it is not reported.
from tvm.script import relax as R


@R.function
def lost_bracket(x: R.Tensor((4,), "float32")):
    a: R.Tensor((4, 5, "float32") = R.reshape(x, (2, 2))
    #!         ^ error[RLX0101]: this `(` is never closed
    #!     fix: close it
    b: R.Tensor((4,), "float32") = R.add(a, x)
    c: R.Tensor((5,), "float32") = R.abs(b)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((5,), dtype="float32"), but the value is R.Tensor((4,), dtype="float32"): dimension 0 is 4, expected 5
    #!     line 10: the value is the result of R.abs
    #!     line 9: `b` is R.Tensor((4,), dtype="float32")
    #!     fix: annotate what is deduced
    return c
