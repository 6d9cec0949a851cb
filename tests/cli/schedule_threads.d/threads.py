from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def diagonal(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i, j in T.grid(4, 5):
        with T.sblock("B"):
            v = T.axis.spatial(8, i + j)
            B[v] = A[v] + 1


@T.prim_func(s_tir=True)
def again(A: T.Buffer((3, 8), "int32"), B: T.Buffer((3, 8), "int32")):
    for r, i, j in T.grid(2, 3, 8):
        with T.sblock("B"):
            v, w = T.axis.remap("SS", [i, j])
            B[v, w] = A[v, w] + 1


@T.prim_func(s_tir=True)
def inside(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(4):
        for j in T.parallel(5):
            with T.sblock("B"):
                v = T.axis.spatial(8, i + j)
                B[v] = A[v] + 1


@T.prim_func(s_tir=True)
def inside_apart(A: T.Buffer((4, 5), "int32"), B: T.Buffer((4, 5), "int32")):
    for i in range(4):
        for j in T.parallel(5):
            with T.sblock("B"):
                v, w = T.axis.remap("SS", [i, j])
                B[v, w] = A[v, w] + 1


@T.prim_func(s_tir=True)
def written(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in T.parallel(3):
        for j in range(6):
            with T.sblock("B"):
                v = T.axis.spatial(6, j)
                B[v] = A[v] * 2


@T.prim_func(s_tir=True)
def rows(A: T.Buffer((201, 5), "int32"), C: T.Buffer((200,), "int32")):
    B = T.sblock_alloc_buffer((201,), "int32")
    for i, k in T.grid(201, 5):
        with T.sblock("B"):
            v, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[v] = 0
            B[v] = B[v] + A[v, vk]
    for i in range(200):
        with T.sblock("C"):
            v = T.axis.spatial(200, i)
            C[v] = B[v + 1] - B[v]


@T.prim_func(s_tir=True)
def kept(A: T.Buffer((9,), "int32"), C: T.Buffer((8,), "int32"), B: T.Buffer((9,), "int32")):
    for i in range(8):
        for k in range(2):
            with T.sblock("B"):
                v = T.axis.spatial(9, i + k)
                B[v] = A[v] + 1
        with T.sblock("C"):
            v = T.axis.spatial(8, i)
            C[v] = B[v + 1] - B[v]
