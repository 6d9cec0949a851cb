from tvm.script import tirx as T
@T.prim_func(s_tir=True)
def main(A: T.Buffer((5, 2), "int32"), B: T.Buffer((5, 2), "int32")):
    S = T.sblock_alloc_buffer((2,), "int32")
    for j in range(2):
        with T.sblock("b0"):
            v0 = T.axis.spatial(2, j)
            T.reads()
            T.writes(S[v0])
            S[v0] = v0 + 1
    for i in range(5):
        for j in range(2):
            with T.sblock("b1"):
                v0 = T.axis.opaque(5, i)
                v1 = T.axis.spatial(2, j)
                T.reads(S[v1], A[v0, v1])
                T.writes(S[v1])
                S[v1] = S[v1] * 3 + A[v0, v1]
        for j in range(2):
            with T.sblock("b2"):
                v0, v1 = T.axis.remap("SS", [i, j])
                T.reads(S[v1])
                T.writes(B[v0, v1])
                B[v0, v1] = S[v1] + v0


@T.prim_func(s_tir=True)
def rows(A: T.Buffer((5, 2), "int32"), B: T.Buffer((5, 2), "int32")):
    S = T.sblock_alloc_buffer((5, 2), "int32")
    D = T.sblock_alloc_buffer((5, 2), "int32")
    for i in range(5):
        for j in range(2):
            with T.sblock("b1"):
                v0, v1 = T.axis.remap("SS", [i, j])
                S[v0, v1] = A[v0, v1] * 3
        for j in range(2):
            with T.sblock("b2"):
                v0, v1 = T.axis.remap("SS", [i, j])
                D[v0, v1] = S[v0, 1 - v1] + v0
    for i, j in T.grid(5, 2):
        with T.sblock("b3"):
            v0, v1 = T.axis.remap("SS", [i, j])
            B[v0, v1] = D[v0, v1] * 2
