# `from tvm.script import tirx` is of 0.25 and later: whatever else the file says, those read it.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def add(a: T.handle, b: T.handle):
    T.func_attr({"global_symbol": "add", "tir.noalias": True})
    #!                                   ^^^^^^^^^^^^^ warning[RLX0902]: `"tir.noalias"` is not in dialect 0.25, which has `"tirx.noalias"`
    #!     fix: write `"tirx.noalias"`
    A = T.match_buffer(a, (8,), "float32")
    B = T.match_buffer(b, (8,), "float32")
    C = T.alloc_buffer((8,), "float32")
    D = T.alloc_buffer((8,), "float32")
    for i in range(8):
        with T.block("c"):
        #!     ^^^^^ error[RLX0902]: `T.block` is not in dialect 0.25, which has `T.sblock`
        #!     fix: write `T.sblock`
            vi = T.axis.spatial(8, i)
            T.block_attr({"pragma": 1})
#!            ^^^^^^^^^^ error[RLX0902]: `T.block_attr` is not in dialect 0.25, which has `T.sblock_attr`
            #!     fix: write `T.sblock_attr`
            C[vi] = A[vi] + T.float32(1)
    for i in range(8):
        with T.block("d"):
        #!     ^^^^^ error[RLX0902]: `T.block` is not in dialect 0.25, which has `T.sblock`
        #!     fix: write `T.sblock`
            vi = T.axis.spatial(8, i)
            D[vi] = C[vi]
    for i in range(8):
        with T.block("b"):
        #!     ^^^^^ error[RLX0902]: `T.block` is not in dialect 0.25, which has `T.sblock`
        #!     fix: write `T.sblock`
            vi = T.axis.spatial(8, i)
            B[vi] = D[vi]
