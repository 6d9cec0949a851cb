from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def border(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6, 6), "int32")):
        for i, j in T.grid(4, 4):
            with T.sblock("inner"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi + 1, vj + 1] = A[vi, vj] * 2

    @T.prim_func(s_tir=True)
    def running(A: T.Buffer((9,), "int32"), B: T.Buffer((9,), "int32")):
        for t, i in T.grid(3, 9):
            with T.sblock("add"):
                vt, vi = T.axis.remap("RS", [t, i])
                B[vi] = B[vi] * 3 + A[vi]

    @T.prim_func(s_tir=True)
    def rows(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32"), C: T.Buffer((4,), "int32")):
        for i in T.serial(4):
            for j in range(8):
                with T.sblock("odd"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.where(j % 2 == 1)
                    B[vi, vj] = A[vi, vj] + 5
            with T.sblock("first"):
                vi = T.axis.spatial(4, i)
                C[vi] = B[vi, 1]

    @T.prim_func(s_tir=True)
    def shared_row(A: T.Buffer((4, 8), "int32"), B: T.Buffer((11,), "int32"), C: T.Buffer((4,), "int32")):
        for i in T.parallel(4):
            for j in range(8):
                with T.sblock("odd"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.where(j == i)
                    B[vj + vi] = A[vi, vj] + 5
            with T.sblock("first"):
                vi = T.axis.spatial(4, i)
                C[vi] = B[vi * 2]

    @T.prim_func(s_tir=True)
    def nested(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32")):
        for i in range(2):
            with T.sblock("tile"):
                vi = T.axis.spatial(2, i)
                T.reads(A[vi * 4:vi * 4 + 4, 0:8])
                T.writes(B[vi * 4:vi * 4 + 4, 0:8])
                for k, j in T.grid(4, 8):
                    with T.sblock("part"):
                        vk, vj = T.axis.remap("SS", [k, j])
                        T.where(k < j)
                        B[vi * 4 + vk, vj] = A[vi * 4 + vk, vj]

    @T.prim_func(s_tir=True)
    def only_if(A: T.Buffer((6,), "int32"), n: T.int32, B: T.Buffer((6,), "int32")):
        for i in range(6):
            with T.sblock("set"):
                vi = T.axis.spatial(6, i)
                T.where(2 < n)
                B[vi] = A[vi]

    @T.prim_func(s_tir=True)
    def steps(A: T.Buffer((4, 5), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4, 5), "int32")):
        for i in range(4):
            for k in range(5):
                with T.sblock("sum"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        B[vi] = 1
                    B[vi] = B[vi] + A[vi, vk]
                with T.sblock("scan"):
                    vi, vk = T.axis.remap("SS", [i, k])
                    C[vi, vk] = B[vi]

    @T.prim_func(s_tir=True)
    def overwritten(A: T.Buffer((4, 5), "int32"), B: T.Buffer((4, 5), "int32")):
        for i, j in T.grid(4, 5):
            with T.sblock("take"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * 7
            with T.sblock("clear"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = B[vi, vj] - 1

    @T.prim_func(s_tir=True)
    def shifted(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
        for i in range(5):
            with T.sblock("take"):
                vi = T.axis.spatial(5, i)
                B[vi] = A[vi] * 7
            with T.sblock("clear"):
                vi = T.axis.spatial(5, i)
                A[vi + 1] = B[vi] - 1

    @T.prim_func(s_tir=True)
    def two_readers(A: T.Buffer((9,), "int32"), C: T.Buffer((9,), "int32"), D: T.Buffer((3, 2), "int32")):
        B = T.sblock_alloc_buffer((9,), "int32")
        for i in range(9):
            with T.sblock("B"):
                vi = T.axis.spatial(9, i)
                B[vi] = A[vi] * 2
        for i in range(9):
            with T.sblock("C"):
                vi = T.axis.spatial(9, i)
                C[vi] = B[8 - vi] + B[vi]
        for i, j in T.grid(3, 2):
            with T.sblock("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = B[vi * 2 + vj + 1] + 1

    @T.prim_func(s_tir=True)
    def apart(A: T.Buffer((4, 5), "int32"), C: T.Buffer((8,), "int32")):
        for i in range(4):
            with T.sblock("zero"):
                vi = T.axis.spatial(4, i)
                C[vi * 2] = 3
            for k in range(5):
                with T.sblock("update"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    C[vi * 2] = C[vi * 2] + A[vi, vk]
