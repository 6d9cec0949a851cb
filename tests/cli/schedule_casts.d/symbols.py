from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def product(a: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    C = T.match_buffer(c, (n * m,), "int32")
    for i, j in T.grid(n, m):
        with T.sblock("product"):
            v, w = T.axis.remap("SS", [i, j])
            C[v * w] = A[v, w]


@T.prim_func(s_tir=True)
def quotient(a: T.handle, C: T.Buffer((64,), "int32"), s: T.int32):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    for i in range(n):
        with T.sblock("quotient"):
            v = T.axis.spatial(n, i)
            C[v // s] = A[v]


@T.prim_func(s_tir=True)
def wrapped(a: T.handle, C: T.Buffer((256,), "int32")):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    for i in range(n):
        with T.sblock("wrapped"):
            v = T.axis.spatial(n, i)
            C[T.Cast("int32", T.Cast("uint8", v))] = A[v]


@T.prim_func(s_tir=True)
def rows(a: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    C = T.match_buffer(c, (n * m,), "int32")
    for i, j in T.grid(n, m):
        with T.sblock("rows"):
            v, w = T.axis.remap("SS", [i, j])
            C[v * m + w] = A[v, w]
