from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def apart(A: T.Buffer((8, 3), "int32"), C: T.Buffer((8,), "int32")):
    P = T.sblock_alloc_buffer((8,), "int32")
    Q = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        for k in range(3):
            with T.sblock("P"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    P[vi] = 0
                P[vi] = P[vi] + A[vi, vk]
        with T.sblock("Q"):
            vi = T.axis.spatial(8, i)
            Q[vi] = P[vi] * 3
    for j in range(8):
        with T.sblock("C"):
            vj = T.axis.spatial(8, j)
            C[vj] = Q[vj] - 1


@T.prim_func(s_tir=True)
def carried(A: T.Buffer((8, 3), "int32"), C: T.Buffer((8,), "int32")):
    P = T.sblock_alloc_buffer((1,), "int32")
    Q = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        for k in range(3):
            with T.sblock("P"):
                v0 = T.axis.spatial(1, 0)
                vk = T.axis.reduce(24, i * 3 + k)
                with T.init():
                    P[v0] = 0
                P[v0] = P[v0] + A[vk // 3, vk % 3]
        with T.sblock("Q"):
            vi = T.axis.spatial(8, i)
            Q[vi] = P[0] * 3
    for j in range(8):
        with T.sblock("C"):
            vj = T.axis.spatial(8, j)
            C[vj] = Q[vj] - 1


@T.prim_func(s_tir=True)
def passed(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32"), E: T.Buffer((8,), "int32"), F: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("low"):
            vi = T.axis.spatial(8, i)
            D[vi] = A[vi] * 2
    for i in range(8):
        with T.sblock("upper"):
            vi = T.axis.spatial(8, i)
            E[vi] = T.if_then_else(vi >= 8, D[vi], A[7 - vi])  # never of D
    for j in range(8):
        with T.sblock("last"):
            vj = T.axis.spatial(8, j)
            F[vj] = D[vj] + 1


@T.prim_func(s_tir=True)
def meets(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32"), E: T.Buffer((8,), "int32"), F: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("low"):
            vi = T.axis.spatial(8, i)
            D[vi] = A[vi] * 2
    for k in range(8):
        with T.sblock("upper"):
            vi = T.axis.spatial(8, k)
            E[vi] = T.if_then_else(vi >= 5, D[vi], A[7 - vi])
    for j in range(8):
        with T.sblock("last"):
            vj = T.axis.spatial(8, j)
            F[vj] = D[vj] + 1


@T.prim_func(s_tir=True)
def sums(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4,), "int32")):
    S = T.sblock_alloc_buffer((4,), "int32")
    for i, once, k in T.grid(4, 1, 6):
        with T.sblock("S"):
            vi = T.axis.spatial(4, i)
            vk = T.axis.reduce(6, once * 6 + k)
            with T.init():
                S[vi] = 0
            S[vi] = S[vi] + A[vi, vk]
    for i2 in range(4):
        with T.sblock("C"):
            vi = T.axis.spatial(4, i2)
            C[vi] = S[vi] * 2


@T.prim_func(s_tir=True)
def both(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4,), "int32")):
    S = T.sblock_alloc_buffer((4,), "int32")
    for ik in range(8):
        for k in range(3):
            with T.sblock("S"):
                vi = T.axis.spatial(4, ik // 2)
                vk = T.axis.reduce(6, ik % 2 * 3 + k)
                with T.init():
                    S[vi] = 0
                S[vi] = S[vi] + A[vi, vk]
    for i2 in range(4):
        with T.sblock("C"):
            vi = T.axis.spatial(4, i2)
            C[vi] = S[vi] * 2


@T.prim_func(s_tir=True)
def padded(A: T.Buffer((6, 5), "int32"), B: T.Buffer((6, 8), "int32")):
    for i, j in T.grid(6, 8):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.if_then_else(vj >= 2 and vj < 7, A[5 - vi, vj - 2], 0)
