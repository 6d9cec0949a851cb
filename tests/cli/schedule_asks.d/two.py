from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((96, 40), "float32"), S: T.Buffer((96,), "float32")):
    B = T.sblock_alloc_buffer((96, 40), "float16")
    for i, j in T.grid(96, 40):
        with T.sblock("half"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.cast(A[vi, vj], "float16")
    for i, k in T.grid(96, 40):
        with T.sblock("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + T.cast(B[vi, vk], "float32")
