from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def draws(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.sblock_alloc_buffer((16,), "int32")
    for i in range(16):
        with T.sblock("B"):
            v = T.axis.spatial(16, i)
            B[v] = T.call_extern("int32", "rand") + A[v]
    for i in range(16):
        with T.sblock("C"):
            v = T.axis.spatial(16, i)
            C[v] = B[v] + B[15 - v]


@T.prim_func(s_tir=True)
def pure(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.sblock_alloc_buffer((16,), "int32")
    for i in range(16):
        with T.sblock("B"):
            v = T.axis.spatial(16, i)
            B[v] = T.call_pure_extern("int32", "abs", A[v])
    for i in range(16):
        with T.sblock("C"):
            v = T.axis.spatial(16, i)
            C[v] = B[v] + B[15 - v]
