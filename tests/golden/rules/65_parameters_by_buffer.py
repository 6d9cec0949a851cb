# T.buffer describes a parameter as T.Buffer does; what makes a buffer in a body does not.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(s_tir=True)
    def double(A: T.buffer((4, 8), "float32"), B: T.buffer(shape=(4, 8), dtype="float32")):
        for i, j in T.grid(4, 8):
            with T.sblock("double"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4, 8), "float32"), y: R.Tensor((4, 7), "float32")):
        cls = Module
        a = R.call_tir(cls.double, (x,), R.Tensor((4, 8), "float32"))
        #! a: R.Tensor((4, 8), dtype="float32")
        b = R.call_tir(cls.double, (y,), R.Tensor((4, 8), "float32"))
        #!                          ^ error[RLX0440]: input 0 of `double` is R.Tensor((4, 7), dtype="float32"), expected R.Tensor((4, 8), dtype="float32"): dimension 1 is 7, expected 8
        #!     line 8: this parameter of the PrimFunc
        #!     fix: declare dimension 1 of `y` as 8
        #! b: R.Tensor((4, 8), dtype="float32")
        return (a, b)


@T.prim_func(s_tir=True)
def few(A: T.buffer((4, 8), "float32")):
    A[0] = T.float32(0)
#!  ^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given


@T.prim_func(s_tir=True)
def made(A: T.alloc_buffer((4, 8), "float32")):
#!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a parameter is described by T.Buffer; this stands in a body
    A[0, 0] = T.float32(0)
