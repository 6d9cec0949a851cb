from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def late(A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    for k in range(2, 10):
        with T.sblock("b"):
            vk = T.axis.reduce(8, k - 2)
            with T.init():
                B[0] = 0
            B[0] = B[0] + A[vk]


@T.prim_func(s_tir=True)
def chain(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    B = T.sblock_alloc_buffer((8,), "int32")
    for i in range(8):
        with T.sblock("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + 1
    for i in range(8):
        with T.sblock("C"):
            vi = T.axis.spatial(8, i)
            D[vi] = B[vi] * 2


@T.prim_func(s_tir=True)
def overwritten(A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("before"):
            vi = T.axis.spatial(8, i)
            D[vi] = A[vi] + 1
    for i in range(8):
        with T.sblock("A"):
            vi = T.axis.spatial(8, i)
            A[vi] = 3


@T.prim_func(s_tir=True)
def nested(A: T.Buffer((4, 4), "int32"), C: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        with T.sblock("fill"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi, vj] = vi + vj
    for i in range(4):
        with T.sblock("outer"):
            vi = T.axis.spatial(4, i)
            for j in range(4):
                with T.sblock("inner"):
                    vj = T.axis.spatial(4, j)
                    C[vi, vj] = A[vi, vj] * 2
