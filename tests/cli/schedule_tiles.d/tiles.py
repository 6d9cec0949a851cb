"""What a tile, an iteration or another name of a buffer would change: elements that are not the same each time."""
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def good(A: T.Buffer((18,), "int32"), D: T.Buffer((16, 3), "int32")):
    B = T.sblock_alloc_buffer((18,), "int32")
    for jo in range(4):
        for ji in range(6):
            with T.sblock("B"):
                vj = T.axis.spatial(18, jo * 4 + ji)
                B[vj] = A[vj]
        for ji, s in T.grid(4, 3):
            with T.sblock("D"):
                vj = T.axis.spatial(16, jo * 4 + ji)
                vs = T.axis.spatial(3, s)
                D[vj, vs] = B[vj + vs]


@T.prim_func(s_tir=True)
def param(A: T.Buffer((18,), "int32"), n: T.int32, D: T.Buffer((16,), "int32")):
    B = T.sblock_alloc_buffer((18,), "int32")
    for r in range(n):
        for jo in range(4):
            for ji in range(6):
                with T.sblock("B"):
                    vj = T.axis.spatial(18, jo * 4 + ji)
                    B[vj] = A[vj] + 1
            for ji in range(4):
                with T.sblock("D"):
                    vj = T.axis.spatial(16, jo * 4 + ji)
                    T.reads(B[0:18])
                    T.writes(D[vj])
                    D[vj] = B[vj // 8 * 4]


@T.prim_func(s_tir=True)
def changed(A: T.Buffer((18,), "int32"), C: T.Buffer((1,), "int32"), D: T.Buffer((16, 3), "int32")):
    B = T.sblock_alloc_buffer((18,), "int32")
    for jo in range(4):
        with T.sblock("C"):
            C[0] = C[0] + 1
        for ji in range(6):
            with T.sblock("B"):
                vj = T.axis.spatial(18, jo * 4 + ji)
                B[vj] = A[vj] + C[0]
        for ji, s in T.grid(4, 3):
            with T.sblock("D"):
                vj = T.axis.spatial(16, jo * 4 + ji)
                vs = T.axis.spatial(3, s)
                D[vj, vs] = B[vj + vs]


@T.prim_func(s_tir=True)
def iterated(A: T.Buffer((18,), "int32"), D: T.Buffer((16, 3), "int32")):
    B = T.sblock_alloc_buffer((18,), "int32")
    for jo in range(4):
        for ji in range(6):
            with T.sblock("B"):
                vj = T.axis.spatial(18, jo * 4 + ji)
                vo = T.axis.spatial(4, jo)
                B[vj] = A[vj] + vo
        for ji, s in T.grid(4, 3):
            with T.sblock("D"):
                vj = T.axis.spatial(16, jo * 4 + ji)
                vs = T.axis.spatial(3, s)
                D[vj, vs] = B[vj + vs]


@T.prim_func(s_tir=True)
def plain(A: T.Buffer((18,), "int32"), C: T.Buffer((4,), "int32"), D: T.Buffer((16, 3), "int32")):
    B = T.sblock_alloc_buffer((18,), "int32")
    for jo in range(4):
        C[jo] = A[jo]
        A[jo * 4 + 1] = jo
        for ji in range(6):
            with T.sblock("B"):
                vj = T.axis.spatial(18, jo * 4 + ji)
                B[vj] = A[vj]
        for ji, s in T.grid(4, 3):
            with T.sblock("D"):
                vj = T.axis.spatial(16, jo * 4 + ji)
                vs = T.axis.spatial(3, s)
                D[vj, vs] = B[vj + vs]


@T.prim_func(s_tir=True)
def loops(A: T.Buffer((18,), "int32"), D: T.Buffer((16, 3), "int32")):
    B = T.sblock_alloc_buffer((18,), "int32")
    for jo in range(4):
        for ji in range(6):
            with T.sblock("B"):
                vj = T.axis.spatial(18, jo * 4 + ji)
                B[vj] = A[vj] + jo
        for ji, s in T.grid(4, 3):
            with T.sblock("D"):
                vj = T.axis.spatial(16, jo * 4 + ji)
                vs = T.axis.spatial(3, s)
                D[vj, vs] = B[vj + vs]


@T.prim_func(s_tir=True)
def read_later(C: T.Buffer((3, 4), "int32"), D: T.Buffer((3, 4), "int32"), E: T.Buffer((3, 4), "int32")):
    for i, j in T.grid(3, 4):
        for u in range(1):
            with T.sblock("b4"):
                v0, v1 = T.axis.remap("SS", [i, j])
                D[v0, v1] = E[T.max(v0 - 1, 0), T.min(v1, 3)] + 3
        for u in range(1):
            with T.sblock("b5"):
                v0, v1 = T.axis.remap("SS", [i, j])
                E[v0, v1] = C[v0, v1]


@T.prim_func(s_tir=True)
def scatter(I: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("D"):
            v = T.axis.spatial(8, i)
            D[I[v]] = v


@T.prim_func(s_tir=True)
def rows(I: T.Buffer((8,), "int32"), D: T.Buffer((8, 4), "int32")):
    for i, j in T.grid(8, 4):
        with T.sblock("D"):
            v, w = T.axis.remap("SS", [i, j])
            D[I[v], w] = v + w


@T.prim_func(s_tir=True)
def gather(I: T.Buffer((8,), "int32"), A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("D"):
            v = T.axis.spatial(8, i)
            D[v] = A[I[v]]


@T.prim_func(s_tir=True)
def alias(A: T.Buffer((8, 2), "int32"), F: T.Buffer((16,), "int32")):
    C = T.sblock_alloc_buffer((8, 2), "int32")
    for i1, i0 in T.grid(2, 8):
        with T.sblock("b2"):
            v0, v1 = T.axis.remap("SS", [i0, i1])
            C[v0, v1] = A[v0, v1]
    C_flat = T.decl_buffer((16,), "int32", data=C.data)
    for i0, again in T.grid(16, 2):
        with T.sblock("b3"):
            v0 = T.axis.spatial(16, i0)
            F[v0] = C[v0 // 2, v0 % 2] + 3


@T.prim_func(s_tir=True)
def renamed(A: T.Buffer((4, 4), "int32"), D: T.Buffer((4, 4), "int32")):
    D_flat = T.decl_buffer((16,), "int32", data=D.data)
    for i in range(4):
        for j in range(4):
            with T.sblock("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(D[vi, vj])
                D_flat[vi * 4 + vj] = A[vi, vj]


@T.prim_func(s_tir=True)
def narrow(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        with T.sblock("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.Cast("int32", T.Cast("int8", A[vi, vj]))


@T.prim_func(s_tir=True)
def wide(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4,), "int32", offset_factor=1)
    B = T.match_buffer(b, (4,), "int32", offset_factor=1)
    with T.sblock("root"):
        T.reads(A[0:4])
        T.writes(B[0:4])
        for j in range(4):
            with T.sblock("b"):
                vj = T.axis.spatial(4, j)
                B[vj] = T.Cast("int32", T.Cast("int16", A[vj]))


@T.prim_func(s_tir=True)
def wide_impl(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4,), "int32", offset_factor=1)
    B = T.match_buffer(b, (4,), "int32", offset_factor=1)
    with T.sblock("root"):
        T.reads(A[0:4])
        T.writes(B[0:4])
        for j in range(4):
            B[j] = T.Cast("int32", T.Cast("int16", A[j]))
