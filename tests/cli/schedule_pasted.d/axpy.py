from tvm.script import tirx as T
from tvm.s_tir import TensorIntrin

ROW = "row_of_8"


@T.prim_func(s_tir=True)
def row_desc(x: T.handle, y: T.handle) -> None:
    X = T.match_buffer(x, (8,), "int32", offset_factor=1)
    Y = T.match_buffer(y, (8,), "int32", offset_factor=1)
    with T.sblock("root"):
        T.reads(Y[0:8], X[0:8])
        T.writes(Y[0:8])
        for i in range(8):
            with T.sblock("axpy"):
                vi = T.axis.spatial(8, i)
                Y[vi] = Y[vi] + X[vi] * 3


@T.prim_func(s_tir=True)
def row_impl(x: T.handle, y: T.handle) -> None:
    X = T.match_buffer(x, (8,), "int32", offset_factor=1)
    Y = T.match_buffer(y, (8,), "int32", offset_factor=1)
    with T.sblock("root"):
        T.reads(Y[0:8], X[0:8])
        T.writes(Y[0:8])
        for i in T.vectorized(8):
            Y[i] = Y[i] + X[i] * 3


TensorIntrin.register(ROW, row_desc, row_impl)
TensorIntrin.register("axpy8", row_desc, row_impl)


@T.prim_func(s_tir=True)
def axpy(A: T.Buffer((4, 16), "int32"), B: T.Buffer((4, 16), "int32")):
    for i, j in T.grid(4, 16):
        with T.sblock("axpy"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = B[vi, vj] + A[vi, vj] * 3
