# In 0.25 a part of one element is an index of any dimension; one of several is a vector, for the last dimension.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def rows(A: T.Buffer((8, 8, 2), "float32"), K: T.Buffer((8, 1, 1), "int32"), C: T.Buffer((8,), "float32")):
    for j in range(8):
        C[j] = A[K[2], j, 1] + A[j, K[j, 0:1, 0], 0]


@T.prim_func(s_tir=True)
def several(A: T.Buffer((8, 8), "float32"), K: T.Buffer((8, 2), "int32"), C: T.Buffer((8,), "float32")):
    for j in range(8):
        C[j] = A[K[2], j]
        #!       ^^^^ error[RLX0604]: buffer `K` has 2 dimensions, and 1 index is given
