from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def chain(A: T.Buffer((6, 8), "float32"), C: T.Buffer((8, 6), "float32")):
    B = T.alloc_buffer((6, 8))
    for i, j in T.grid(6, 8):
        with T.sblock("double"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(8, 6):
        with T.sblock("turn"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vj, vi] + T.float32(1)


@T.prim_func(s_tir=True)
def shared(A: T.Buffer((10,), "float32"), C: T.Buffer((8,), "float32"), D: T.Buffer((10,), "float32")):
    B = T.alloc_buffer((10,))
    for i in range(10):
        with T.sblock("make"):
            vi = T.axis.spatial(10, i)
            B[vi] = A[vi] + T.float32(3)
    for i in range(8):
        with T.sblock("window"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] * B[vi + 2]
    for i in range(10):
        with T.sblock("copy"):
            vi = T.axis.spatial(10, i)
            D[vi] = B[vi]


@T.prim_func(s_tir=True)
def sums(A: T.Buffer((5, 7), "int32"), E: T.Buffer((5,), "int32"), F: T.Buffer((5,), "int32")):
    for i, k in T.grid(5, 7):
        with T.sblock("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                E[vi] = 0
            E[vi] = E[vi] + A[vi, vk]
    for i in range(5):
        with T.sblock("part"):
            vi = T.axis.spatial(5, i)
            T.where(i < 3)
            F[vi] = A[vi, 0]


@T.prim_func(s_tir=True)
def late(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.sblock("before"):
            vi = T.axis.spatial(4, i)
            C[vi] = B[vi]
        with T.sblock("after"):
            vi = T.axis.spatial(4, i)
            B[vi] = A[vi]


@T.prim_func(s_tir=True)
def gaps(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("even"):
            vi = T.axis.spatial(8, i)
            T.where(i % 2 == 0)
            B[vi] = A[vi]


# Rows of 4 that begin 3 elements apart: B[0, 3] is B[1, 0].
@T.prim_func(s_tir=True)
def rows_in_each_other(A: T.Buffer((4, 4), "float32"), b: T.handle):
    B = T.match_buffer(b, (4, 4), "float32", strides=[3, 1])
    for i, j in T.grid(4, 4):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]


@T.prim_func(s_tir=True)
def rows_apart(A: T.Buffer((4, 4), "float32"), b: T.handle):
    B = T.match_buffer(b, (4, 4), "float32", strides=[1, 5])
    for i, j in T.grid(4, 4):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
