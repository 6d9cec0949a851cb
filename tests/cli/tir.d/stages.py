from tvm.script import ir as I
from tvm.script import tirx as T

N = 16


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def sums(A: T.Buffer((N, 32), "float32"), S: T.Buffer((N,), "float32"), D: T.Buffer((N,), "float32")):
        B = T.sblock_alloc_buffer((N, 32))
        for i in range(N):
            for j in range(32):
                with T.sblock("double"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj] * T.float32(2)
            for j in range(32):
                with T.sblock("sum"):
                    vi, vj = T.axis.remap("SR", [i, j])
                    with T.init():
                        S[vi] = T.float32(0)
                    S[vi] = S[vi] + B[vi, vj]
        for i0, i1 in T.grid(5, 4):
            with T.sblock("ends"):
                vi = T.axis.spatial(N, i0 * 4 + i1)
                T.where(i0 * 4 + i1 < N)
                D[vi] = T.min(S[vi], S[N - 1 - vi])

    @T.prim_func(s_tir=True)
    def early(A: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
        B = T.sblock_alloc_buffer((9,))
        for i in range(8):
            with T.sblock("make"):
                vi = T.axis.spatial(8, i)
                B[vi] = A[vi]
            with T.sblock("use"):
                vi = T.axis.spatial(8, i)
                C[vi] = B[vi + 1]
