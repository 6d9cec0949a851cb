from tvm.script import ir as I
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def dense(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), D: T.Buffer((64,), "float32"), C: T.Buffer((64, 64), "float32")):
    M = T.sblock_alloc_buffer((64, 64))
    for i, j, k in T.grid(64, 64, 64):
        with T.sblock("matmul"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                M[vi, vj] = T.float32(0)
            M[vi, vj] = M[vi, vj] + A[vi, vk] * B[vk, vj]
    for i, j in T.grid(64, 64):
        with T.sblock("relu"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.max(M[vi, vj] + D[vj], T.float32(0))
