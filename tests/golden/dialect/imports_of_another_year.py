# The package tir is gone since 0.24: what the functions of a file are written for, its imports have to be of, too.
import tvm.script.tir
#!     ^^^^^^^^^^^^^^ error[RLX0902]: `tvm.script.tir` is not in dialect 0.25, which has `tvm.script.tirx`
from tvm.script import ir as I, tir as T
#!                              ^^^^^^^^ error[RLX0902]: `tir as T` is not in dialect 0.25, which has `tirx as T`
#!     fix: write `tirx as T`

try:
    from tvm.script import tirx as X
except ImportError:
    from tvm.script import tir as X


def older():
    from tvm.script import tir as Y

    return Y


@T.prim_func(s_tir=True)
def f(A: T.Buffer((4,), "float32")):
    with T.sblock("b"):
        A[0] = T.float32(1)
