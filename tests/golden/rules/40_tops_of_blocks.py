# Parts of a block below loops, conditions and scopes in it; what Python decides is no such scope.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((8,), "float32"), n: T.int32):
    if True:
        T.func_attr({"a": 1})
    with T.sblock("loop"):
        for i in range(8):
            v = T.axis.spatial(8, i)
            #!  ^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: T.axis.spatial stands at the top of a block, not below a loop or a condition in it
            A[v] = T.float32(0)
    with T.sblock("condition"):
        if True:
            T.reads(A[0:8])
        if n < 3:
            T.writes(A[0:8])
#!          ^^^^^^^^^^^^^^^^ error[RLX0614]: T.writes stands at the top of a block, not below a loop or a condition in it
        A[0] = T.float32(0)
    with T.sblock("scope"):
        T.attr(n, "k", 1)
        T.reads(A[0:8])
#!      ^^^^^^^^^^^^^^^ error[RLX0614]: T.reads stands at the top of a block, not below a loop or a condition in it
        A[0] = T.float32(0)
    with T.sblock("assertion"):
        assert n < 8, "small"
        T.where(n < 4)
#!      ^^^^^^^^^^^^^^ error[RLX0614]: T.where stands at the top of a block, not below a loop or a condition in it
        A[0] = T.float32(0)
    for i in range(8):
        with T.sblock("init"):
            v = T.axis.reduce(8, i)
            for j in range(8):
                with T.init():
                #!   ^^^^^^^^ error[RLX0614]: T.init stands at the top of a block, not below a loop or a condition in it
                    A[j] = T.float32(0)
                with T.sblock("inner"):
                    u = T.axis.spatial(8, j)
                    T.reads(A[u])
                    T.writes(A[u])
                    A[u] = A[u] + T.float32(1)
