"""What stands between loops and blocks: conditions, names, other names of a buffer's memory."""
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def half_read(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    B = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        with T.sblock("B"):
            v = T.axis.spatial(8, i)
            B[v] = A[v] + 1
    for j in range(8):
        if j < 5:
            with T.sblock("D"):
                v = T.axis.spatial(8, j)
                D[v] = B[v] * 2


@T.prim_func(s_tir=True)
def short(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    B = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        with T.sblock("B"):
            v = T.axis.spatial(8, i)
            B[v] = A[v] + 1
    for j in range(7):
        with T.sblock("D"):
            v = T.axis.spatial(8, j)
            D[v] = B[v] * 2


@T.prim_func(s_tir=True)
def named(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    B = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        q: T.int32 = i * 3
        for u in range(1):
            with T.sblock("B"):
                v = T.axis.spatial(8, i)
                B[v] = A[v] + q
    for j in range(8):
        with T.sblock("D"):
            v = T.axis.spatial(8, j)
            D[v] = B[v] * 2


@T.prim_func(s_tir=True)
def some_rows(A: T.Buffer((8, 4), "int32"), D: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 5:
            for k in range(4):
                with T.sblock("sum"):
                    v, w = T.axis.remap("SR", [i, k])
                    with T.init():
                        D[v] = 0
                    D[v] = D[v] + A[v, w]


@T.prim_func(s_tir=True)
def some_biased(A: T.Buffer((8, 4), "int32"), E: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    M = T.sblock_alloc_buffer((8,), "int32")
    for i, k in T.grid(8, 4):
        with T.sblock("sum"):
            v, w = T.axis.remap("SR", [i, k])
            with T.init():
                M[v] = 0
            M[v] = M[v] + A[v, w]
    for j in range(8):
        if j != 3:
            with T.sblock("bias"):
                v = T.axis.spatial(8, j)
                D[v] = M[v] + E[v]


@T.prim_func(s_tir=True)
def some_filled(A: T.Buffer((8, 4), "int32"), D: T.Buffer((8,), "int32")):
    for j in range(8):
        if j % 2 == 0:
            with T.sblock("fill"):
                v = T.axis.spatial(8, j)
                D[v] = 0
    for i, k in T.grid(8, 4):
        with T.sblock("sum"):
            v, w = T.axis.remap("SR", [i, k])
            D[v] = D[v] + A[v, w]


@T.prim_func(s_tir=True)
def some_padded(A: T.Buffer((8,), "int32"), M: T.Buffer((10, 2), "int32")):
    for i in range(10):
        if i < 5:
            for j in range(2):
                with T.sblock("pad"):
                    v, w = T.axis.remap("SS", [i, j])
                    M[v, w] = T.if_then_else(1 <= v and v < 9, A[v - 1], 7)


@T.prim_func(s_tir=True)
def alias(A: T.Buffer((8, 12), "int32"), F: T.Buffer((96,), "int32")):
    B = T.sblock_alloc_buffer((8, 12), "int32")
    for i, j in T.grid(8, 12):
        with T.sblock("B"):
            v0, v1 = T.axis.remap("SS", [i, j])
            B[v0, v1] = A[v0, v1]
    flat = T.decl_buffer((96,), "int32", data=B.data)
    for k in range(48):
        with T.sblock("half"):
            v = T.axis.spatial(48, k)
            flat[v] = flat[v] * 2 + 1
    for m in range(96):
        with T.sblock("F"):
            v = T.axis.spatial(96, m)
            F[v] = flat[v] + 3


@T.prim_func(s_tir=True)
def view(A: T.Buffer((4, 8), "int32"), C: T.Buffer((4, 8), "int32")):
    for i in range(4):
        with T.sblock("row"):
            vi = T.axis.spatial(4, i)
            T.reads(A[vi, 0:8])
            T.writes(C[vi, 0:8])
            V = T.match_buffer(C[vi, 0:8], (8,), "int32", offset_factor=1)
            for j in range(8):
                with T.sblock("inner"):
                    vj = T.axis.spatial(8, j)
                    V[vj] = A[vi, vj] + 1


@T.prim_func(s_tir=True)
def behind_a_name(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32"), n: T.int32):
    B = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        with T.sblock("first"):
            v = T.axis.spatial(8, i)
            D[v] = A[v]
    twice: T.int32 = n * 2
    for j in range(8):
        with T.sblock("B"):
            v = T.axis.spatial(8, j)
            B[v] = A[v] + twice
    for k in range(8):
        with T.sblock("C"):
            v = T.axis.spatial(8, k)
            D[v] = B[v] - 1


@T.prim_func(s_tir=True)
def lengths(L: T.Buffer((6,), "int32"), A: T.Buffer((6, 4), "int32"), D: T.Buffer((6, 4), "int32")):
    for i in range(6):
        for j in range(L[i] % 5):
            with T.sblock("D"):
                v0 = T.axis.spatial(6, i)
                v1 = T.axis.spatial(4, j)
                D[v0, v1] = A[v0, v1]


@T.prim_func(s_tir=True)
def total(A: T.Buffer((8,), "int32"), D: T.Buffer((1,), "int32")):
    B = T.sblock_alloc_buffer((8,), "int32")
    for i in T.parallel(8):
        with T.sblock("B"):
            v = T.axis.spatial(8, i)
            B[v] = A[v] * 3
    for k in range(8):
        with T.sblock("sum"):
            v = T.axis.reduce(8, k)
            with T.init():
                D[0] = 0
            D[0] = D[0] + B[v]


@T.prim_func(s_tir=True)
def scan(A: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.sblock("scan"):
            v = T.axis.opaque(8, i)
            A[v + 1] = A[v] * 3 + A[v + 1]


@T.prim_func(s_tir=True)
def below_zero(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("D"):
            v = T.axis.spatial((-2, 6), i - 2)
            D[v + 2] = A[(v + 2) * 3 % 8] + v // 2


@T.prim_func(s_tir=True)
def copied(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32"), C: T.Buffer((8, 4), "int32")):
    for i in range(8):
        with T.sblock("copy"):
            v = T.axis.spatial(8, i)
            T.evaluate(T.call_extern("handle", "memcpy", T.address_of(B[v, 0]), T.address_of(A[7 - v, 0]), T.int64(16)))
    for j, k in T.grid(8, 4):
        with T.sblock("C"):
            vj, vk = T.axis.remap("SS", [j, k])
            C[vj, vk] = B[vj, vk] + 1


# A condition around the producer and not its reader, around both, and in the producer.
@T.prim_func(s_tir=True)
def outside(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.sblock_alloc_buffer((16,), "int32")
    for i in range(16):
        if A[i] > 3:
            with T.sblock("B"):
                vi = T.axis.spatial(16, i)
                B[vi] = A[vi] + 1
    for i in range(16):
        with T.sblock("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] * 2 + 7


@T.prim_func(s_tir=True)
def around(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.sblock_alloc_buffer((16,), "int32")
    if A[0] > 3:
        for i in range(16):
            with T.sblock("B"):
                vi = T.axis.spatial(16, i)
                B[vi] = A[vi] + 1
        for i in range(16):
            with T.sblock("C"):
                vi = T.axis.spatial(16, i)
                C[vi] = B[vi] * 2 + 7


@T.prim_func(s_tir=True)
def inside(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.sblock_alloc_buffer((16,), "int32")
    for i in range(16):
        with T.sblock("B"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi])
            T.writes(B[vi])
            if A[vi] > 3:
                B[vi] = A[vi] + 1
    for i in range(16):
        with T.sblock("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] * 2 + 7


# For n = 0 the producer does not run, and its reader does.
@T.prim_func(s_tir=True)
def repeated(a: T.handle, C: T.Buffer((16,), "int32")):
    n = T.int32()
    A = T.match_buffer(a, (n, 16), "int32")
    B = T.sblock_alloc_buffer((16,), "int32")
    for r, i in T.grid(n, 16):
        with T.sblock("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[0, vi] + 1
    for i in range(16):
        with T.sblock("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] * 2 + 7


@T.prim_func(s_tir=True)
def as_often(a: T.handle, c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    C = T.match_buffer(c, (n,), "int32")
    B = T.sblock_alloc_buffer((n,), "int32")
    for i0, i1 in T.grid((n + 3) // 4, 4):
        with T.sblock("B"):
            vi = T.axis.spatial(n, i0 * 4 + i1)
            T.where(i0 * 4 + i1 < n)
            B[vi] = A[vi] + 1
    for i in range(n):
        with T.sblock("C"):
            vi = T.axis.spatial(n, i)
            C[vi] = B[vi] * 2 + 7
