from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def narrow(A: T.Buffer((8,), "int32"), C: T.Buffer((256,), "int32")):
    for i in range(8):
        with T.sblock("narrow"):
            v = T.axis.spatial(8, i)
            C[T.Cast("int32", T.Cast("int8", v * 64)) + 128] = A[v]


@T.prim_func(s_tir=True)
def unsigned(A: T.Buffer((8,), "int32"), C: T.Buffer((7,), "int32")):
    for i in range(8):
        with T.sblock("unsigned"):
            v = T.axis.spatial(8, i)
            C[T.Cast("int32", T.Cast("uint32", v - 3) % T.uint32(7))] = A[v]


@T.prim_func(s_tir=True)
def bound(A: T.Buffer((256,), "int32"), C: T.Buffer((256,), "int32")):
    for i in range(8):
        with T.sblock("bound"):
            v = T.axis.spatial(256, T.Cast("int32", T.Cast("int8", i * 64)) + 128)
            C[v] = A[v] + 1


@T.prim_func(s_tir=True)
def kept(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("kept"):
            v = T.axis.spatial(8, T.Cast("int32", T.Cast("int64", i)))
            C[T.Cast("int32", T.Cast("int64", v))] = A[v] + 1
