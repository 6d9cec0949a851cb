from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def stencil(A: T.Buffer((16,), "float32"), C: T.Buffer((15,), "float32"), D: T.Buffer((16,), "float32")):
    B = T.sblock_alloc_buffer((16,))
    for i in range(16):
        with T.sblock("B"):
            v = T.axis.spatial(16, i)
            B[v] = A[v] * T.float32(2)
    for j in range(15):
        with T.sblock("C"):
            v = T.axis.spatial(15, j)
            C[v] = B[v] + B[v + 1]


@T.prim_func(s_tir=True)
def scratch(A: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    S = T.sblock_alloc_buffer((1,))
    B = T.sblock_alloc_buffer((8,))
    for i in range(8):
        with T.sblock("S"):
            v = T.axis.spatial(8, i)
            S[0] = A[v]
        with T.sblock("B"):
            v = T.axis.spatial(8, i)
            B[v] = S[0]
    for k in range(8):
        with T.sblock("C"):
            v = T.axis.spatial(8, k)
            C[v] = B[v]


@T.prim_func(s_tir=True)
def tail(A: T.Buffer((7,), "int32"), B: T.Buffer((1,), "int32")):
    for k0, k1 in T.grid(4, 4):
        with T.sblock("B"):
            v = T.axis.reduce(7, k0 * 4 + k1)
            T.where(k0 * 4 + k1 < 7)
            with T.init():
                B[0] = 0
            B[0] = B[0] + A[v]


@T.prim_func(s_tir=True)
def beside(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32"), D: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("B"):
            v = T.axis.spatial(8, i)
            B[v] = A[v]
    for j in range(8):
        with T.sblock("C"):
            v = T.axis.spatial(8, j)
            C[v] = B[v]
    for k in range(8):
        with T.sblock("D"):
            v = T.axis.spatial(8, k)
            D[v] = B[7 - v]


@T.prim_func(s_tir=True)
def outside(A: T.Buffer((4,), "float32"), B: T.Buffer((8,), "float32")):
    C = T.sblock_alloc_buffer((4,))
    for i in range(4):
        with T.sblock("C"):
            v = T.axis.spatial(4, i)
            C[v] = A[v] + T.float32(1)
    for j in range(8):
        with T.sblock("B"):
            v = T.axis.spatial(8, j)
            B[v] = T.if_then_else(v < 4, C[v], T.float32(0))


@T.prim_func(s_tir=True)
def in_part(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.sblock("C"):
            v = T.axis.spatial(4, i)
            C[v] = A[v] + T.float32(1)
    for j in range(3):
        with T.sblock("B"):
            v = T.axis.spatial(4, j)
            B[v] = C[v]


@T.prim_func(s_tir=True)
def accumulate(A: T.Buffer((48, 6), "float32"), B: T.Buffer((6, 36), "float32"), C: T.Buffer((48, 36), "float32")):
    for i, j, k in T.grid(48, 36, 6):
        with T.sblock("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


@T.prim_func(s_tir=True)
def passed(A: T.Buffer((6, 4), "int32"), B: T.Buffer((6, 4), "int32"), C: T.Buffer((6, 4), "int32"), D: T.Buffer((6, 4), "int32")):
    for i, j in T.grid(6, 4):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 1
    for i in range(5):
        with T.sblock("C"):
            v = T.axis.spatial(5, i)
            C[v, 0] = A[v, 1] * A[v + 1, 2]
    for i, j in T.grid(6, 4):
        with T.sblock("E"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] * 2
    for j in range(4):
        with T.sblock("first"):
            v = T.axis.spatial(4, j)
            D[5, v] = B[5, v]
    for i, j in T.grid(6, 4):
        with T.sblock("F"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = A[vi, vj] - 1


@T.prim_func(s_tir=True)
def overrun(A: T.Buffer((21, 6), "int32"), D: T.Buffer((21,), "int32")):
    C = T.sblock_alloc_buffer((21,), "int32")
    for i, k in T.grid(21, 6):
        with T.sblock("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi, vk]
    for i in range(21):
        with T.sblock("D"):
            v = T.axis.spatial(21, i)
            D[v] = C[v] * 3
