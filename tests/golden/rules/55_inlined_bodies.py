# A function in a PrimFunc that T.inline decorates is read where it is called: what it asks of T is looked at then, and not when nothing calls it.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def called(A: T.Buffer((16, 16), "float32")):
    @T.inline
    def own(i):
        A[i, 0] = T.expp(T.float32(1))
        #!          ^^^^ error[RLX0203]: `T.expp` does not exist; did you mean `T.exp`?
        #!     fix: change to `T.exp`
        A[i, 1] = T.exp()
        #!        ^^^^^^^ error[RLX0423]: T.exp: argument `x` is missing

    @T.inline
    def unused(i):
        A[i, 0] = T.expp(T.float32(1))

    @T.inline
    def through_unused(i):
        A[i, 0] = T.log()

    @T.inline
    def unused_too(i):
        through_unused(i)

    for i in range(16):
        if i > 3:
            own(i)


@T.prim_func
def blocks(A: T.Buffer((16,), "float32")):
    @T.inline()
    def own(i):
        with T.sblock("b"):
        #!   ^^^^^^^^ error[RLX0611]: `T.sblock` in a PrimFunc without `s_tir=True`
        #!     fix: add `s_tir=True`
            v = T.axis.spatial(16, i)
            A[v] = T.float32(1)

    for i in range(16):
        own(i)
