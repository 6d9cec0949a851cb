# rlx-golden: check
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class PointerGiven:
    @T.prim_func(s_tir=True)
    def fill(P: T.Buffer((8,), "float32")) -> T.handle:
        T.evaluate(T.call_extern("handle", "fill", P.data))

    @R.function(pure=False)
    def main(p: R.Tensor((8,), "float32")):
        cls = PointerGiven
        cls.fill(p)
#!      ^^^^^^^^^^^ error[RLX0441]: the value, R.Object, must be bound to a variable
        #!     fix: bind it to `_`
        q = cls.fill(p)
        return p


# From 0.26 on a PrimFunc may give several values, and what is walked over is a shape.
@T.prim_func(s_tir=True)
def several(a: T.handle("float32"), P: T.Buffer((8,), "float32")) -> T.Tuple(T.int32, T.float32):
    p: T.let[T.handle("float32")] = T.reinterpret(T.handle("float32").ty, a)
    Q = T.alloc_buffer({8: "x", 4: "y"}, "float32")
    R = T.alloc_buffer({"x": 8}, "float32")
    #!                  ^^^ error[RLX0614]: a dimension is an integer or an expression
    T.evaluate(0)
