from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((15, 16), "float32"), C: T.Buffer((15, 16), "float32")):
    B = T.sblock_alloc_buffer((15, 16), "float32")
    for i, j in T.grid(15, 16):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
            T.evaluate(T.call_extern("int32", "g", B.data, vi))
    for i, j, k in T.grid(15, 16, 4):
        with T.sblock("R"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + B[vi, vj]
            T.evaluate(T.call_extern("int32", "g", C.data, vi))
