from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def refilled(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    B = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        B[i] = A[i] + 5
    for i in range(8):
        with T.sblock("C"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] * 2
    for i in range(8):
        B[i] = 7
    for i in range(8):
        with T.sblock("D"):
            vi = T.axis.spatial(8, i)
            D[vi] = B[vi] + C[vi]


@T.prim_func(s_tir=True)
def filled(A: T.Buffer((6, 4), "int32"), D: T.Buffer((6,), "int32")):
    S = T.sblock_alloc_buffer((6,), "int32")
    for i in range(6):
        S[i] = 3
    for i, k in T.grid(6, 4):
        with T.sblock("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            S[vi] = S[vi] + A[vi, vk]
    for i in range(6):
        with T.sblock("D"):
            vi = T.axis.spatial(6, i)
            D[vi] = S[vi] * 2


@T.prim_func(s_tir=True)
def reduced(A: T.Buffer((6, 4), "int32"), S: T.Buffer((6,), "int32"), L: T.Buffer((1,), "int32")):
    for i in range(6):
        L[0] = S[i]
        for k in range(4):
            with T.sblock("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = 0
                S[vi] = S[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def beside(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    B = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        with T.sblock("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] * 2
    for i in range(8):
        D[i] = 3
    for i in range(8):
        with T.sblock("C"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] + 1
