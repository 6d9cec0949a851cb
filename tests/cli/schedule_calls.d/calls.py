from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def draws(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.sblock_alloc_buffer((16,), "int32")
    for i in range(16):
        with T.sblock("B"):
            v = T.axis.spatial(16, i)
            B[v] = T.call_extern("int32", "rand") + A[v]
    for i in range(16):
        with T.sblock("C"):
            v = T.axis.spatial(16, i)
            C[v] = B[v] + B[15 - v]


@T.prim_func(s_tir=True)
def pure(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.sblock_alloc_buffer((16,), "int32")
    for i in range(16):
        with T.sblock("B"):
            v = T.axis.spatial(16, i)
            B[v] = T.call_pure_extern("int32", "abs", A[v])
    for i in range(16):
        with T.sblock("C"):
            v = T.axis.spatial(16, i)
            C[v] = B[v] + B[15 - v]


@T.prim_func(s_tir=True)
def told(A: T.Buffer((4, 4), "int32"), C: T.Buffer((4, 4), "int32")):
    B = T.sblock_alloc_buffer((4, 4), "int32")
    for i, j in T.grid(4, 4):
        with T.sblock("B"):
            v, w = T.axis.remap("SS", [i, j])
            B[v, w] = A[v, w] + 1
    for i in range(4):
        T.evaluate(T.tvm_storage_sync("shared"))
        for j in range(4):
            with T.sblock("C"):
                v, w = T.axis.remap("SS", [i, j])
                C[v, w] = B[v, w]
                T.evaluate(T.call_packed("log", v))


@T.prim_func(s_tir=True)
def sums(A: T.Buffer((4, 4), "int32"), C: T.Buffer((4,), "int32")):
    for i, j in T.grid(4, 4):
        with T.sblock("C"):
            v, w = T.axis.remap("SR", [i, j])
            with T.init():
                C[v] = T.call_extern("int32", "rand")
            C[v] = C[v] + A[v, w]


@T.prim_func(s_tir=True)
def copies(A: T.Buffer((4, 4), "int32"), C: T.Buffer((4, 4), "int32"), D: T.Buffer((4, 4), "int32")):
    for i in range(4):
        with T.sblock("rows"):
            v = T.axis.spatial(4, i)
            T.reads(A[v, 0:4])
            T.writes(C[3 - v, 0:4])
            T.evaluate(T.call_extern("handle", "memcpy", T.address_of(C[3 - v, 0]), T.address_of(A[v, 0]), T.int64(16)))
    for i in range(3):
        with T.sblock("overlap"):
            v = T.axis.spatial(3, i)
            T.reads(A[v, 0:4])
            T.writes(D[v:v + 2, 0:4])
            T.evaluate(T.call_extern("handle", "memcpy", T.address_of(D[v, 0]), T.address_of(A[v, 0]), T.int64(32)))
