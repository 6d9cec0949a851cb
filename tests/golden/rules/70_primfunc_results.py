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


# An order widens its left side there.
@T.prim_func(s_tir=True)
def wide(a: T.handle("float32"), P: T.Buffer((8,), "int32"), s: T.int32):
    p: T.let[T.handle("float32")] = T.reinterpret(T.handle("float32").ty, a)
    if s >= 3000000000:
        P[0] = T.Select(P[1] < 2**33, 1, 0)
    P[1] = T.Select(2**33 > s, 1, 0)
    #!              ^^^^^^^^^ error[RLX0614]: `>` does not take an int and an expression of int32
    Q = T.sblock_alloc_buffer((8,), data="int32")
    for i in T.vectorized(0, T.bool(True)):
        P[i] = 2
    t: T.Max[T.int32] = 3
    #! ^^^^^ error[RLX0614]: a function, expected a buffer
