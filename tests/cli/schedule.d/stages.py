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

    @T.prim_func(s_tir=True)
    def parts(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
        B = T.alloc_buffer((16,), "float32")
        for p in range(8):
            with T.sblock("low"):
                v = T.axis.spatial(8, p)
                B[v] = A[v]
        for p in range(8):
            with T.sblock("high"):
                v = T.axis.spatial(8, p)
                B[v + 8] = A[v]
        for o, n in T.grid(4, 4):
            with T.sblock("turned"):
                v = T.axis.spatial(16, n * 4 + o)
                C[v] = B[v]
