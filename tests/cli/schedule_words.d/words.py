from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def units(A: T.Buffer((3, 5), "float32"), D: T.Buffer((3, 5, 1), "float32")):
    B = T.sblock_alloc_buffer((3, 5))
    for i_0, j, i_1 in T.grid(1, 5, 8):
        with T.sblock("B"):
            vi = T.axis.spatial(3, i_0 * 8 + i_1)
            vj = T.axis.spatial(5, j)
            T.where(i_0 * 8 + i_1 < 3)
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j, k in T.grid(3, 5, 1):
        with T.sblock("D"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            D[vi, vj, vk] = B[vi, vj] + T.float32(1)


@T.prim_func(s_tir=True)
def extern(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), n: T.Buffer((), "int32")):
    for i in range(16):
        with T.sblock("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi]
    with T.sblock("call"):
        T.reads(B[0:16])
        T.writes(B[0:16])
        T.call_extern("void", "in_place", B.data)
    with T.sblock("count"):
        T.reads()
        T.writes(n[()])
        n[()] = T.call_extern("int32", "count", 16)


@T.prim_func(s_tir=True)
def vectors(A: T.Buffer((8, 4), "uint8"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("B"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:4])
            T.writes(B[vi])
            four: T.uint8x4 = A[vi, 0:4]
            B[vi] = T.reinterpret("int32", four)


@T.prim_func(s_tir=True)
def stays(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        for j in range(4):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]
        with T.sblock("C"):
            T.reads(B[i, 0:4])
            T.writes(C[i])
            C[i] = B[i, 0] + B[i, 3]


@T.prim_func(s_tir=True)
def guarded(A: T.Buffer((16, 8), "int32"), C: T.Buffer((16, 8), "int32")):
    B = T.sblock_alloc_buffer((16, 8), "int32")
    for i_0, i_1 in T.grid(5, 4):
        with T.sblock("rows"):
            T.reads(A[i_0 * 4 + i_1, 0:8])
            T.writes(B[i_0 * 4 + i_1, 0:8])
            for j in range(8):
                with T.sblock("B"):
                    vi = T.axis.spatial(16, i_0 * 4 + i_1)
                    vj = T.axis.spatial(8, j)
                    T.where(i_0 * 4 + i_1 < 16)
                    B[vi, vj] = A[vi, vj] + 1
        for j in range(8):
            with T.sblock("C"):
                vi = T.axis.spatial(16, i_0 * 4 + i_1)
                vj = T.axis.spatial(8, j)
                T.where(i_0 * 4 + i_1 < 16)
                C[vi, vj] = B[vi, vj] * 2


@T.prim_func(s_tir=True)
def half(A: T.Buffer((16, 8), "int32"), B: T.Buffer((16, 8), "int32")):
    for i_0, i_1 in T.grid(3, 4):
        with T.sblock("rows"):
            T.reads(A[i_0 * 4 + i_1, 0:8])
            T.writes(B[i_0 * 4 + i_1, 0:8])
            for j in range(8):
                with T.sblock("B"):
                    vi = T.axis.spatial(16, i_0 * 4 + i_1)
                    vj = T.axis.spatial(8, j)
                    T.where(i_0 * 4 + i_1 < 10)
                    B[vi, vj] = A[vi, vj] + 1


# A block without variables that uses a loop around it, as loop_partition makes them.
@T.prim_func(s_tir=True)
def opaque(A: T.Buffer((6, 12), "int32"), C: T.Buffer((6,), "int32")):
    B = T.sblock_alloc_buffer((6, 12), "int32")
    for i0, i1 in T.grid(6, 12):
        with T.sblock("B"):
            v0, v1 = T.axis.remap("SS", [i0, i1])
            B[v0, v1] = A[v0, v1] * 2
    for i1 in range(12):
        with T.sblock("common"):
            T.reads()
            T.writes()
            for i0 in range(6):
                with T.sblock("C"):
                    v0, v1 = T.axis.remap("SR", [i0, i1])
                    with T.init():
                        C[v0] = 0
                    C[v0] = C[v0] + B[v0, v1]


@T.prim_func(s_tir=True)
def part(A: T.Buffer((4, 6), "int32"), B: T.Buffer((4, 6), "int32")):
    for i, j in T.grid(3, 6):
        with T.sblock("B"):
            vi = T.axis.spatial(4, i)
            vj = T.axis.spatial(6, j)
            B[vi, vj] = A[vi, vj]
