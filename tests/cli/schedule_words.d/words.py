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
