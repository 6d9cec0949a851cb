from tvm.script import tirx as T


@T.prim_func
def same(A: T.Buffer((8,), "float32"), B: T.Buffer((4,), "float32")):
    for i in T.parallel(8):
        with T.sblock("b"):
            v = T.axis.spatial(4, i // 2)
            T.reads(A[v])
            T.writes(B[v])
            B[v] = A[v]
