# Reductions along a dimension that may be 0: no instance runs there, no init, and `D` keeps what it holds.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Sums:
    @T.prim_func(s_tir=True)
    def sums(a: T.handle, D: T.Buffer((4,), "int32")):
        n = T.int64()
        A = T.match_buffer(a, (4, n), "int32")
        for i, k in T.grid(4, n):
            with T.sblock("S"):
                vi = T.axis.spatial(4, i)
                vk = T.axis.reduce(n, k)
                with T.init():
                    D[vi] = 5
                D[vi] = D[vi] + A[vi, vk]

    @T.prim_func(s_tir=True)
    def views(a: T.handle, D: T.Buffer((4,), "int32")):
        n = T.int64()
        A = T.match_buffer(a, (4, n), "int32")
        for i, k in T.grid(4, n):
            with T.sblock("S"):
                vi = T.axis.spatial(4, i)
                vk = T.axis.reduce(n, k)
                T.reads(A[vi, vk])
                T.writes(D[vi])
                M = T.match_buffer(D[vi], (), "int32")
                with T.init():
                    M[()] = 5
                M[()] = T.max(M[()], A[vi, vk])

    @R.function
    def main(A: R.Tensor((4, "n"), "int32")):
        lv = R.call_tir(Sums.sums, (A,), out_sinfo=R.Tensor((4,), "int32"))
        lv1 = R.call_tir(Sums.views, (A,), out_sinfo=R.Tensor((4,), "int32"))
        lv2 = R.prod(A, axis=1)
        return (lv, lv1, lv2)


@T.prim_func(s_tir=True)
def product(a: T.handle, b: T.handle, C: T.Buffer((4, 3), "int32")):
    n = T.int64()
    A = T.match_buffer(a, (4, n, 2), "int32")
    B = T.match_buffer(b, (n, 2, 3), "int32")
    for i, j, k, l in T.grid(4, 3, n, 2):
        with T.sblock("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            vk = T.axis.reduce(n, k)
            vl = T.axis.reduce(2, l)
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + A[vi, vk, vl] * B[vk, vl, vj]


@T.prim_func(s_tir=True)
def apart(a: T.handle, D: T.Buffer((4,), "int32")):
    n = T.int64()
    A = T.match_buffer(a, (4, n), "int32")
    for i in range(4):
        with T.sblock("zero"):
            vi = T.axis.spatial(4, i)
            D[vi] = 0
        for k in range(n):
            with T.sblock("add"):
                vi = T.axis.spatial(4, i)
                vk = T.axis.reduce(n, k)
                D[vi] = D[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def epilogue(a: T.handle, E: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    n = T.int64()
    A = T.match_buffer(a, (4, n), "int32")
    S = T.sblock_alloc_buffer((4,), "int32")
    for i, k in T.grid(4, n):
        with T.sblock("S"):
            vi = T.axis.spatial(4, i)
            vk = T.axis.reduce(n, k)
            with T.init():
                S[vi] = 0
            S[vi] = S[vi] + A[vi, vk]
    for i in range(4):
        with T.sblock("D"):
            vi = T.axis.spatial(4, i)
            D[vi] = S[vi] + E[vi]


@T.prim_func(s_tir=True)
def several(a: T.handle, B: T.Buffer((4, 8), "int32")):
    n = T.int64()
    A = T.match_buffer(a, (4, n), "int32")
    for i in range(4):
        with T.sblock("B"):
            vi = T.axis.spatial(4, i)
            T.reads(A[vi, 0:n])
            T.writes(B[vi, 0:8])
            for k, j in T.grid(n, 8):
                B[vi, j] = A[vi, k] + j


@T.prim_func(s_tir=True)
def reader(a: T.handle, C: T.Buffer((4,), "int32")):
    n = T.int64()
    A = T.match_buffer(a, (4, n), "int32")
    B = T.sblock_alloc_buffer((4,), "int32")
    for i, k in T.grid(4, n):
        with T.sblock("B"):
            vi = T.axis.spatial(4, i)
            vk = T.axis.reduce(n, k)
            with T.init():
                B[vi] = 5
            B[vi] = B[vi] + A[vi, vk]
    for i in range(4):
        with T.sblock("C"):
            vi = T.axis.spatial(4, i)
            C[vi] = B[vi] * 2 + 1


@T.prim_func(s_tir=True)
def repeated(a: T.handle, C: T.Buffer((16,), "int32")):
    n = T.int64()
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


# A condition keeps the reads in the buffer.
@T.prim_func(s_tir=True)
def guarded(A: T.Buffer((8,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 8:
            with T.sblock("C"):
                vi = T.axis.spatial(16, i)
                C[vi] = A[vi] * 2 + 7
