from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def product(A: T.Buffer((13, 7), "float32"), W: T.Buffer((11, 7), "float32"), C: T.Buffer((13, 11), "float32")):
    for i, j, k in T.grid(13, 11, 7):
        with T.sblock("product"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * W[vj, vk]


@T.prim_func(s_tir=True)
def biased(A: T.Buffer((8, 4), "float32"), C: T.Buffer((8,), "float32"), D: T.Buffer((8,), "float32")):
    S = T.sblock_alloc_buffer((8,), "float32")
    for i, k in T.grid(8, 4):
        with T.sblock("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk]
    for i in range(8):
        with T.sblock("bias"):
            vi = T.axis.spatial(8, i)
            D[vi] = S[vi] + C[vi]


@T.prim_func(s_tir=True)
def padded(A: T.Buffer((8,), "int32"), B: T.Buffer((10,), "int32")):
    for i in range(10):
        with T.sblock("pad"):
            vi = T.axis.spatial(10, i)
            B[vi] = T.if_then_else(1 <= vi and vi < 9, A[vi - 1], 0)


@T.prim_func(s_tir=True)
def tiles(A: T.Buffer((20,), "int32"), D: T.Buffer((16,), "int32")):
    B = T.sblock_alloc_buffer((18,), "int32")
    for io in range(4):
        for ii in range(6):
            with T.sblock("B"):
                vi = T.axis.spatial(18, io * 4 + ii)
                B[vi] = A[vi] + A[vi + 2]
        for ii in range(4):
            with T.sblock("D"):
                vi = T.axis.spatial(16, io * 4 + ii)
                D[vi] = B[vi] - B[vi + 2]


@T.prim_func(s_tir=True)
def twice(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8, 4), "float32")):
    for i, j in T.grid(8, 4):
        with T.sblock("twice"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)


@T.prim_func(s_tir=True)
def desc(X: T.Buffer((4,), "float32", offset_factor=1), Y: T.Buffer((4,), "float32", offset_factor=1)):
    with T.sblock("root"):
        T.reads(X[0:4])
        T.writes(Y[0:4])
        for k in range(4):
            with T.sblock("twice"):
                vk = T.axis.spatial(4, k)
                Y[vk] = X[vk] * T.float32(2)


@T.prim_func(s_tir=True)
def impl(X: T.Buffer((4,), "float32", offset_factor=1), Y: T.Buffer((4,), "float32", offset_factor=1)):
    with T.sblock("root"):
        T.reads(X[0:4])
        T.writes(Y[0:4])
        for k in T.unroll(4):
            Y[k] = X[k] + X[k]
