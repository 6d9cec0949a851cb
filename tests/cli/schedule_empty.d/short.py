from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def rows(a: T.handle, d: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    D = T.match_buffer(d, (n,), "int32")
    for i, u in T.grid(n - 1, 1):
        with T.sblock("D"):
            v = T.axis.spatial(n - 1, i)
            D[v] = A[v] - A[v + 1] + D[v]


@T.prim_func(s_tir=True)
def product(a: T.handle, b: T.handle, d: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 4), "int32")
    B = T.match_buffer(b, (4, n), "int32")
    D = T.match_buffer(d, (n, n), "int32")
    for i, j, k in T.grid(n - 1, n - 1, 4):
        with T.sblock("D"):
            v, w, x = T.axis.remap("SSR", [i, j, k])
            with T.init():
                D[v, w] = 0
            D[v, w] = D[v, w] + A[v, x] * B[x, w + 1]
