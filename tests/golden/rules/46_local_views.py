# `local` of a buffer without a layout: nothing says how many elements it has, or what they are.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func
def f(A: T.Buffer((8,), "float32")):
    T.device_entry()
    X = T.alloc_buffer((4,), dtype="float32", scope="local", layout=None)
    Y = T.alloc_local((4,), "float32")
    B = Y.local()
    C = X.local(4, layout=T.TileLayout(T.S[4]))
    D = A.local()
    E = X.local(4)
    #!  ^^^^^^^^^^ error[RLX0614]: the buffer has no layout (`layout=None`): its `local` takes a shape and a layout
    Z = T.decl_buffer((8,), "float32", A.data, layout=None)
    F = Z.local(layout=T.TileLayout(T.S[8]))
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: the buffer has no layout (`layout=None`): its `local` takes a shape and a layout
