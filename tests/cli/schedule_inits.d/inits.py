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


@T.prim_func(s_tir=True)
def product(A: T.Buffer((4, 12), "int32"), B: T.Buffer((12, 16), "int32"), C: T.Buffer((4, 16), "int32")):
    for i, j, ko, ki in T.grid(4, 16, 3, 4):
        with T.sblock("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            vk = T.axis.reduce(12, ko * 4 + ki)
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


@T.prim_func(s_tir=True)
def copied_in_part(A: T.Buffer((7,), "int32"), B: T.Buffer((7,), "int32")):
    for io, ii in T.grid(3, 3):
        with T.sblock("B"):
            v = T.axis.spatial(7, io * 3 + ii)
            T.where(io * 3 + ii < 7)
            B[v] = A[v] * 2


@T.prim_func(s_tir=True)
def begins_last(A: T.Buffer((8, 10), "int32"), C: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 10):
        with T.sblock("C"):
            vi = T.axis.spatial(8, i)
            vk = T.axis.reduce(10, 9 - k)
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def doubled(A: T.Buffer((8, 4, 5), "int32"), C: T.Buffer((8,), "int32")):
    for i, a, b in T.grid(8, 4, 5):
        with T.sblock("C"):
            vi, va, vb = T.axis.remap("SRR", [i, a, b])
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] * 2 + A[vi, va, vb]


@T.prim_func(s_tir=True)
def seen_through_a_view(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 16), "int32")):
    for i, j in T.grid(4, 4):
        with T.sblock("tile"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4])
            T.writes(B[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4])
            V = T.match_buffer(B[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4], (4, 4), "int32", strides=[16, 1], offset_factor=1)
            for a, b in T.grid(4, 4):
                V[a, b] = A[vi * 4 + a, vj * 4 + b] * 2


@T.prim_func(s_tir=True)
def begins_with(A: T.Buffer((8, 6), "int32"), B: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    S = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        with T.sblock("S"):
            vi = T.axis.spatial(8, i)
            S[vi] = B[vi] * 2
        for k in range(6):
            with T.sblock("D"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    D[vi] = S[vi]
                D[vi] = T.max(D[vi], A[vi, vk])


@T.prim_func(s_tir=True)
def overlapping_reader(A: T.Buffer((4, 4), "int32"), D: T.Buffer((4, 4), "int32")):
    C = T.sblock_alloc_buffer((4, 4), "int32")
    for io in range(3):
        for ii, j in T.grid(2, 4):
            with T.sblock("C"):
                vi = T.axis.spatial(4, io + ii)
                vj = T.axis.spatial(4, j)
                C[vi, vj] = A[vi, vj] * 2
        for ii in range(2):
            for j in range(4):
                with T.sblock("D"):
                    vi = T.axis.spatial(4, io + ii)
                    vj = T.axis.spatial(4, j)
                    D[vi, vj] = C[vi, vj] + 1
