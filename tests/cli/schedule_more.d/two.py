from tvm.script import ir as I
from tvm.script import tirx as T


@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def first(A: T.Buffer((24,), "int32")):
        for i in range(24):
            with T.sblock("b"):
                v = T.axis.spatial(24, i)
                A[v] = 1

    @T.prim_func(s_tir=True)
    def second(A: T.Buffer((24,), "int32"), B: T.Buffer((28,), "int32")):
        for i in range(28):
            with T.sblock("pad"):
                v = T.axis.spatial(28, i)
                B[v] = T.if_then_else(v >= 2 and v < 26, A[v - 2], 0)
