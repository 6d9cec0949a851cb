from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def scaled(A: T.Buffer((12, 24), "float32"), C: T.Buffer((12, 24), "float32")):
    B = T.sblock_alloc_buffer((12, 24))
    for i, j in T.grid(12, 24):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(12, 24):
        with T.sblock("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)


@T.prim_func(s_tir=True)
def dynamic(a: T.handle, c: T.handle, s: T.int32):
    n = T.int32()
    A = T.match_buffer(a, (4, n))
    C = T.match_buffer(c, (4, n))
    B = T.sblock_alloc_buffer((4, n))
    for i, j in T.grid(4, n):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(4, n):
        with T.sblock("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)


@T.prim_func(s_tir=True)
def thin(A: T.Buffer((5, 1), "int32"), C: T.Buffer((5, 1), "int32")):
    B = T.sblock_alloc_buffer((5, 1), "int32")
    for i, j in T.grid(5, 1):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2
    for i, j in T.grid(5, 1):
        with T.sblock("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + 1
