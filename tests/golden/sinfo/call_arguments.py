# rlx-golden: check
# What a call has no place for: Python's numbers and strings as arguments of functions, unknown arguments of R.const and its like.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def g(x: R.Tensor((2,), "float32"), n: R.Prim("int64"), s: R.Object):
        return x

    @R.function
    def main(x: R.Tensor((2,), "float32"), sh: R.Shape(["m"])):
        m = T.int64()
        cls = Module
        a = cls.g(x, R.prim_value(m), R.str("s"))
        b = cls.g(a, 1, R.str("s"))
        #!           ^ error[RLX0442]: the Python int 1 is not a Relax value
        #!     fix: write it as `R.prim_value(…)`
        c = cls.g(b, R.prim_value(1), "s")
        #!                            ^^^ error[RLX0442]: the string "s" is not a Relax value
        #!     fix: write it as `R.str(…)`
        d = cls.g(c, m, x)
        #!           ^ error[RLX0442]: the symbolic integer `m` is not a Relax value
        #!     fix: write it as `R.prim_value(…)`
        e = R.const(1, "float32", axis=1)
        #!                        ^^^^ error[RLX0424]: R.const has no parameter `axis`
        f = R.prim_value(1, 2)
        #!                  ^ error[RLX0422]: R.prim_value takes at most 1 positional argument, 2 given
        g = x.shape([2])
        #!    ^^^^^ error[RLX0428]: `.shape` of a tensor can't be called
        return (d, e, f)
