# What a variable of a block is bound to wraps where 64 bits do not hold it, as it does in a buffer.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def far(B: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.sblock("B"):
            vi = T.axis.spatial(4, i)
            T.reads()
            T.writes(B[vi])
            x: T.int32 = T.Cast("int32", T.max(T.Cast("int64", vi) + T.int64(9223372036854775806), T.int64(5)))
            B[vi] = x


@T.prim_func(s_tir=True)
def read(A: T.Buffer((4,), "int64"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.sblock("B"):
            vi = T.axis.spatial(4, i)
            T.reads(A[vi])
            T.writes(B[vi])
            x: T.int64 = A[vi] * A[vi]
            B[vi] = T.Select(x < T.int64(0), 1, 0)
