# rlx-golden: check
# A call of a PrimFunc in a PrimFunc: the module has the function, which takes as many arguments; none of them is a buffer.
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def sq(x: T.float32) -> T.float32:
        return x * x

    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in range(16):
            B[i] = Module.sq(A)
            #!               ^ error[RLX0301]: sq expects an expression as `x`, found a buffer; its memory is `.data`
            B[i] = Module.sq(A[i], A[i])
            #!     ^^^^^^^^^^^^^^^^^^^^^ error[RLX0422]: sq takes at most 1 positional argument, 2 given
            B[i] = Module.nope(A[i])
            #!            ^^^^ error[RLX0205]: module `Module` has no function `nope`
            B[i] = Module.sq(A[i : i + 4])
            #!               ^^^^^^^^^^^^ error[RLX0301]: sq expects an expression as `x`, found a part of a buffer
            Module.sq("x")
            #!        ^^^ error[RLX0301]: sq expects an expression as `x`, found a string
            B[i] = Module.sq(x=A[i])
            #!               ^ error[RLX0424]: sq has no parameter `x`; the call of a PrimFunc has no keywords
