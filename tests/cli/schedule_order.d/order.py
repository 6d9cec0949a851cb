from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def diagonal(A: T.Buffer((5, 5), "int32"), B: T.Buffer((5, 5), "int32"), D: T.Buffer((5, 5), "int32")):
    for i, j in T.grid(5, 5):
        for u in range(1):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]
        for u in range(1):
            with T.sblock("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = B[T.max(vi - 1, 0), T.min(vj + 1, 4)]


@T.prim_func(s_tir=True)
def itself(A: T.Buffer((5, 5), "int32"), B: T.Buffer((6, 6), "int32")):
    for i, j in T.grid(5, 5):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = B[vi, vj + 1] + A[vi, vj]


@T.prim_func(s_tir=True)
def scratch(A: T.Buffer((5, 5), "int32"), D: T.Buffer((5, 5), "int32")):
    B = T.sblock_alloc_buffer((9,), "int32")
    for i, j in T.grid(5, 5):
        for u in range(1):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi + vj] = A[vi, vj]
        for u in range(1):
            with T.sblock("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = B[vi + vj] * 2


@T.prim_func(s_tir=True)
def kept(A: T.Buffer((5, 5), "int32"), D: T.Buffer((5, 5), "int32"), B: T.Buffer((9,), "int32")):
    for i, j in T.grid(5, 5):
        for u in range(1):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi + vj] = A[vi, vj]
        for u in range(1):
            with T.sblock("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = B[vi + vj] * 2


@T.prim_func(s_tir=True)
def large(A: T.Buffer((65536, 65536), "int8")):
    for i, j in T.grid(65536, 65536):
        with T.sblock("A"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi, vj] = T.int8(0)


@T.prim_func(s_tir=True)
def columns(A: T.Buffer((2, 4), "int32")):
    S = T.sblock_alloc_buffer((2, 4), "int32")
    for i, j in T.grid(3, 4):
        for k in range(2):
            with T.sblock("load"):
                vk, vj = T.axis.remap("SS", [k, j])
                S[vk, vj] = A[vk, vj]
        with T.sblock("one"):
            vi = T.axis.spatial(2, i)
            vj = T.axis.spatial(4, j)
            T.where(i < 2)
            S[vi, vj] = S[vi, vj] * 2 + 5
        for k in range(2):
            with T.sblock("store"):
                vk, vj = T.axis.remap("SS", [k, j])
                A[vk, vj] = S[vk, vj]


@T.prim_func(s_tir=True)
def at_once(A: T.Buffer((5, 5), "int32"), B: T.Buffer((9,), "int32")):
    for i in range(5):
        for j in T.parallel(5):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi - vj + 4] = A[vi, vj]


@T.prim_func(s_tir=True)
def empty(A: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 0):
        with T.sblock("A"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi, vj] = 0


@T.prim_func(s_tir=True)
def triangle(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6, 6), "int32")):
    for i in range(6):
        for j in T.serial(i, 6):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * 2
