from tvm.script import ir as I, tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def rows(A: T.Buffer((10, 6), "int32"), B: T.Buffer((10, 6), "int32")):
        for io, ii in T.grid(3, 4):
            for j in range(6):
                with T.sblock("B"):
                    vi = T.axis.spatial(10, io * 4 + ii)
                    vj = T.axis.spatial(6, j)
                    T.where(io * 4 + ii < 10)
                    B[vi, vj] = A[vi, vj] * 2

    @T.prim_func(s_tir=True)
    def shifted(A: T.Buffer((8,), "int32"), B: T.Buffer((6,), "int32")):
        for k in range(8):
            with T.sblock("B"):
                v = T.axis.spatial(6, k - 1)
                T.where(1 <= k and k < 7)
                B[v] = A[v] + 1

    @T.prim_func(s_tir=True)
    def product(A: T.Buffer((5, 12), "int32"), W: T.Buffer((12, 6), "int32"), C: T.Buffer((5, 6), "int32")):
        for i, jo, ji, k in T.grid(5, 3, 2, 12):
            with T.sblock("C"):
                vi = T.axis.spatial(5, 4 - i)
                vj = T.axis.spatial(6, jo * 2 + ji)
                vk = T.axis.reduce(12, k)
                with T.init():
                    C[vi, vj] = 0
                C[vi, vj] = C[vi, vj] + A[vi, vk] * W[vk, vj]

    @T.prim_func(s_tir=True)
    def scattered(A: T.Buffer((6, 7), "int32"), B: T.Buffer((6, 7), "int32")):
        for i, j in T.grid(6, 7):
            with T.sblock("B"):
                vi = T.axis.opaque(6, i)
                vj = T.axis.spatial(7, j)
                B[A[vi, vj] % 6, vj] = vi * 7

    @T.prim_func(s_tir=True)
    def overstated(A: T.Buffer((6, 5), "int32"), B: T.Buffer((6, 7), "int32")):
        for i, j in T.grid(6, 5):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, 0:7])
                B[vi, vj] = A[vi, vj] * 7

    @T.prim_func(s_tir=True)
    def altogether(A: T.Buffer((6, 7), "int32"), B: T.Buffer((6, 7), "int32")):
        for i, j in T.grid(6, 7):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(B[vi, 0:7])
                B[vi, vj] = A[vi, vj] * 7

    @T.prim_func(s_tir=True)
    def indirect(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
        P = T.sblock_alloc_buffer((8,), "int32")
        for i in range(8):
            with T.sblock("P"):
                vi = T.axis.spatial(8, i)
                P[vi] = 7 - vi
        for i in range(8):
            with T.sblock("B"):
                vi = T.axis.spatial(8, i)
                B[vi] = A[P[vi]]

    @T.prim_func(s_tir=True)
    def tail(a: T.handle, c: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (n,), "int32")
        C = T.match_buffer(c, (n,), "int32")
        B = T.sblock_alloc_buffer((n,), "int32")
        for io, ii in T.grid((n + 3) // 4, 4):
            with T.sblock("B"):
                v = T.axis.spatial(n, io * 4 + ii)
                T.where(io * 4 + ii < n)
                B[v] = A[v] * 2
            with T.sblock("C"):
                v = T.axis.spatial(n, io * 4 + ii)
                T.where(io * 4 + ii < n)
                C[v] = B[v] + 1
