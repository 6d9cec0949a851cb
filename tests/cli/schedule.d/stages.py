from tvm.script import ir as I
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def rows(A: T.Buffer((6, 10), "float32"), D: T.Buffer((6,), "float32")):
        B = T.alloc_buffer((6, 10), "float32")
        for i, j in T.grid(6, 10):
            with T.sblock("twice"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, k in T.grid(6, 10):
            with T.sblock("total"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    D[vi] = T.float32(0)
                D[vi] = D[vi] + B[vi, vk]

    @T.prim_func(s_tir=True)
    def triangle(A: T.Buffer((5, 5), "int32"), C: T.Buffer((5, 5), "int32")):
        for a in range(5):
            for b in range(a + 1):
                with T.sblock("half"):
                    va, vb = T.axis.remap("SS", [a, b])
                    C[va, vb] = A[va, vb] + 1
