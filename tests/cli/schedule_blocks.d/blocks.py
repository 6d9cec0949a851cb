from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def halves(A: T.Buffer((8, 16), "int32"), B: T.Buffer((8, 16), "int32"), S: T.Buffer((8,), "int32")):
    for i in range(8):
        for j in range(16):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * 2
        for k in range(16):
            with T.sblock("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = 0
                S[vi] = S[vi] + B[vi, vk]


@T.prim_func(s_tir=True)
def apart(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32"), C: T.Buffer((8, 8), "int32")):
    for i, j in T.grid(8, 8):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2
    for i in range(8):
        for j in range(8):
            with T.sblock("C"):
                vj, vi = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + 1
        for k in range(8):
            with T.sblock("D"):
                vi, vk = T.axis.remap("SS", [i, k])
                A[vi, vk] = 0


@T.prim_func(s_tir=True)
def resized(A: T.Buffer((12, 12), "float32"), B: T.Buffer((24, 24), "float32"), n: T.int32):
    for i, j in T.grid(24, 24):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi // 2, (vi + vj * 3) % 12] * T.Cast("float32", vi // 2) + A[vi // 2, vj // n]


@T.prim_func(s_tir=True)
def copied(A: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        with T.sblock("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj]


@T.prim_func(s_tir=True)
def viewed(A: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    B = T.sblock_alloc_buffer((8, 8))
    for i, j in T.grid(8, 8):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            b = T.match_buffer(B[vi, vj], (), offset_factor=1)
            b[()] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(8, 8):
        with T.sblock("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)


@T.prim_func(s_tir=True)
def scratch(A: T.Buffer((8, 4), "int32"), D: T.Buffer((8,), "int32")):
    for i in range(8):
        L = T.alloc_buffer((4,), "int32")
        for k in range(4):
            with T.sblock("L"):
                vk, vi = T.axis.remap("SS", [k, i])
                L[vk] = A[vi, vk] * 2
        with T.sblock("D"):
            vi = T.axis.spatial(8, i)
            D[vi] = L[0] + L[3]
