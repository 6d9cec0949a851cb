# rlx-golden: check
# A number that may be negative is not a length, though the PrimFunc before calls its length so, at the same place.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def length(a: T.handle, n: T.int64):
    A = T.match_buffer(a, (n,), "float32")
    for i in range(n):
        with T.sblock("b"):
            vi = T.axis.spatial(n, i)
            A[vi] = T.float32(1)


@T.prim_func(s_tir=True)
def number(a: T.handle, n: T.int64):
    A = T.match_buffer(a, (16,), "float32")
    for i in range(1):
        with T.sblock("b"):
            vi = T.axis.spatial(1, i)
            T.where(n < T.int64(16))
            A[n] = T.float32(1)
#!          ^^^^^^^^^^^^^^^^^^^ hint[RLX0627]: whether index 1 of A is in bounds is not decided
