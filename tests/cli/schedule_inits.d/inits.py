from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def overlapping(A: T.Buffer((22, 4), "int32"), B: T.Buffer((22, 4), "int32")):
    for h, i, j in T.grid(4, 8, 8):
        with T.sblock("B"):
            vi = T.axis.spatial(22, i * 2 + j)
            vh = T.axis.spatial(4, h)
            B[vi, vh] = A[vi, vh] + 1


@T.prim_func(s_tir=True)
def counted(A: T.Buffer((15,), "int32"), B: T.Buffer((15,), "int32")):
    for i, j in T.grid(8, 8):
        with T.sblock("B"):
            vi = T.axis.spatial(15, i + j)
            B[vi] = B[vi] + A[vi]


@T.prim_func(s_tir=True)
def tail(A: T.Buffer((6, 37), "int32"), S: T.Buffer((6,), "int32")):
    for i, k0, k1 in T.grid(6, 5, 8):
        with T.sblock("S"):
            vi = T.axis.spatial(6, i)
            vk = T.axis.reduce(37, k0 * 8 + k1)
            T.where(k0 * 8 + k1 < 37 and i < 5)
            with T.init():
                S[vi] = 0
            S[vi] = S[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def reduced_output(A: T.Buffer((8, 10), "int32"), C: T.Buffer((8, 10), "int32")):
    for i, k in T.grid(8, 10):
        with T.sblock("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi, vk] = 0
            C[vi, vk] = C[vi, vk] + A[vi, vk]


@T.prim_func(s_tir=True)
def begins_late(A: T.Buffer((8, 10), "int32"), C: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 10):
        with T.sblock("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.where(k >= 3)
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def backwards(A: T.Buffer((8, 10), "int32"), C: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 10):
        with T.sblock("C"):
            vi = T.axis.spatial(8, i)
            vk = T.axis.reduce(10, 9 - k)
            T.where(k < 5)
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi, vk]
