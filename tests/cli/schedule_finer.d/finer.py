from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def parts(A: T.Buffer((12, 24), "float32"), C: T.Buffer((12, 24), "float32")):
    for i, j in T.grid(12, 24):
        with T.sblock("compute"):
            vi, vj = T.axis.remap("SS", [i, j])
            with T.sblock("left"):
                T.where(vi < 8)
                C[vi, vj] = A[vi, vj] * T.float32(2)
            with T.sblock("top"):
                T.where(vj < 16)
                C[vi, vj] = A[vi, vj] * T.float32(3)


@T.prim_func(s_tir=True)
def triangle(A: T.Buffer((8, 8, 8, 8), "float32"), B: T.Buffer((8, 8, 8, 8), "float32")):
    for i, j in T.grid(8, 8):
        for k, l in T.grid(i, 8):
            with T.sblock("B"):
                vi, vj, vl = T.axis.remap("SSS", [i, j, l])
                vk = T.axis.spatial(i, k)
                B[vi, vj, vk, vl] = A[vi, vj, vk, vl] * T.float32(2)
