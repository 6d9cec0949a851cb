# TVM reads a macro where it is called: foreign spellings in one that nothing calls are warnings.
from tvm.script import ir as I, tirx as T


@T.macro(hygienic=False)
def nobody(A):
    with T.block("b"):
    #!     ^^^^^ warning[RLX0902]: `T.block` is not in dialect 0.25, which has `T.sblock`
    #!     fix: write `T.sblock`
        A[0] = T.float32(1)


@T.inline
def by_nobody(A):
    with T.block("b"):
    #!     ^^^^^ warning[RLX0902]: `T.block` is not in dialect 0.25, which has `T.sblock`
    #!     fix: write `T.sblock`
        A[1] = T.float32(1)


@T.macro
def inner(A):
    with T.block("b"):
    #!     ^^^^^ error[RLX0902]: `T.block` is not in dialect 0.25, which has `T.sblock`
    #!     fix: write `T.sblock`
        A[2] = T.float32(1)


@T.macro
def called(A):
    inner(A)


@T.prim_func(s_tir=True)
def f(A: T.Buffer((16,), "float32")):
    called(A)
