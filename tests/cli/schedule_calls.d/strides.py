from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def pitched(a: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    s = T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    C = T.match_buffer(c, (n, m), "int32", strides=[s, 1])
    for i, j in T.grid(n, m):
        with T.sblock("pitched"):
            v, w = T.axis.remap("SS", [i, j])
            C[v, w] = A[v, w]


@T.prim_func(s_tir=True)
def compact(a: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    C = T.match_buffer(c, (n, m), "int32", strides=[m, 1])
    for i, j in T.grid(n, m):
        with T.sblock("compact"):
            v, w = T.axis.remap("SS", [i, j])
            C[v, w] = A[v, w]


@T.prim_func(s_tir=True)
def folded(A: T.Buffer((4, 8), "int32"), D: T.Buffer((4,), "int32")):
    B = T.sblock_alloc_buffer((4,), "int32")
    E = T.sblock_alloc_buffer((4,), "int32")
    for i, k, l in T.grid(4, 2, 4):
        with T.sblock("B"):
            v = T.axis.spatial(4, i)
            w = T.axis.reduce(8, k + l * 2)
            with T.init():
                B[v] = 1
                E[v] = 0
            B[v] = B[v] * 3 + A[v, w]
            E[v] = B[v]
    for i in range(4):
        with T.sblock("D"):
            v = T.axis.spatial(4, i)
            D[v] = B[v] - E[v]
