from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def signed_begin(A: T.Buffer((8,), "float32"), wide: T.uint64):
    for i in range(wide):
        A[i] = T.float32(1)


@T.prim_func(s_tir=True)
def narrow_begin(A: T.Buffer((8, 8), "float32"), narrow: T.int8):
    for i, j in T.grid((narrow, 8), 8):
        A[i, j] = T.float32(1)


@T.prim_func(s_tir=True)
def to_handle(A: T.Buffer((8,), "int64"), n: T.int64):
    T.evaluate(n.astype("handle"))


@T.prim_func(s_tir=True)
def pointer(A: T.Buffer((8,), "int64"), p: T.handle):
    T.evaluate(T.cast(A.data, "handle"))
    T.evaluate(T.cast(p, dtype="handle"))
