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


@T.prim_func(s_tir=True)
def transposed(A: T.Buffer((4, 8), "int32"), W: T.Buffer((4, 8), "int32"), C: T.Buffer((8,), "int32")):
    P = T.sblock_alloc_buffer((6, 8), "int32")
    for i, c in T.grid(6, 8):
        with T.sblock("P"):
            vi, vc = T.axis.remap("SS", [i, c])
            P[vi, vc] = T.if_then_else(vi >= 1 and vi < 5, A[vi - 1, vc], 0)
    for h, r, c in T.grid(8, 4, 8):
        with T.sblock("C"):
            vh, vr, vc = T.axis.remap("SRR", [h, r, c])
            with T.init():
                C[vh] = 0
            C[vh] = C[vh] + T.if_then_else((vh + vr) % 2 == 0, P[(vh + vr) // 2, vc], 0) * W[3 - vr, vc]
