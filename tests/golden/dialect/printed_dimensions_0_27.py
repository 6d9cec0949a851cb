# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# What 0.27 prints is read by its parser alone: a string in a signature's shape is the expression in it, and its names are
# variables, of int32 unless a scalar parameter says another dtype.

n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def of_type_vars(A: T.Buffer((n, T.int64(4)), "int32"), B: T.Buffer(("n * T.int64(4)",), "int32")):
        for i in range(n * T.int64(4)):
            with T.sblock("B"):
                vi = T.axis.spatial(n * T.int64(4), i)
                B[vi] = A[vi // T.int64(4), vi % T.int64(4)]

    @T.prim_func(s_tir=True)
    def of_their_own(A: T.Buffer(("a", "b + 1"), "int32"), B: T.Buffer("T.max(a, b)", "int32"), C: T.Buffer((a, 2), "int8")):
        for i, j in T.grid(a, b):
            A[i, j] = B[0] + T.cast(C[0, 0], "int32")

    @T.prim_func(s_tir=True)
    def of_parameters(A: T.Buffer(("m",), "int32"), m: T.int64, B: T.Buffer(("m", "k"), "int32")):
        B[m - T.int64(1), k - 1] = A[0]
#!      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0627]: it depends on lengths: for m = 0, B[-1, …] is written, outside of its shape (m, k)
        #!                         ^^^^ hint[RLX0627]: it depends on lengths: for m = 0, A[0] is read, outside of its shape (m,)

    @T.prim_func(s_tir=True)
    def declared_again(A: T.Buffer(("m", "k"), "int32")):
        m, k = T.int32(), T.int32()
        A[m - 1, k - 1] = 1
#!      ^^^^^^^^^^^^^^^^^^^ hint[RLX0627]: it depends on lengths: for m = 0, A[-1, …] is written, outside of its shape (m, k)
