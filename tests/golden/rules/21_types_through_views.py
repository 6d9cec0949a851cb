# A variable that only tells where a view of a buffer begins tells instances apart, as one in an index does.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def f(A: T.Buffer((4, 16), "int32"), B: T.Buffer((4, 16), "int32")):
    for i, j in T.grid(4, 2):
        with T.sblock("o"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj * 8:vj * 8 + 8], B[vi, vj * 8:vj * 8 + 8])
            T.writes(B[vi, vj * 8:vj * 8 + 8])
            X = T.match_buffer(A[vi, vj * 8:vj * 8 + 8], (8,), "int32", offset_factor=1)
            Y = T.match_buffer(B[vi, vj * 8:vj * 8 + 8], (8,), "int32", offset_factor=1)
            for k in range(8):
                Y[k] = Y[k] + X[k] * 3


@T.prim_func(s_tir=True)
def g(A: T.Buffer((4, 16), "int32"), B: T.Buffer((4, 16), "int32")):
    for i, j in T.grid(4, 2):
        with T.sblock("o"):
#!      ^^^^^^^^^^^^^^^^^^^ warning[RLX0623]: block variable vj of block "o" is declared data_par, its accesses make it reduce
        #!     fix: declare it reduce
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, 0:8], B[vi, 0:8])
            T.writes(B[vi, 0:8])
            X = T.match_buffer(A[vi, 0:8], (8,), "int32", offset_factor=1)
            Y = T.match_buffer(B[vi, 0:8], (8,), "int32", offset_factor=1)
            for k in range(8):
                Y[k] = Y[k] + X[k] * 3
