# TVM takes any key of an attribute: one of another version is a warning, and says nothing of what else is written.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func
def entry(A: T.Buffer((4,), "float32")):
    T.func_attr({"tir.is_entry_func": True})
    #!           ^^^^^^^^^^^^^^^^^^^ warning[RLX0902]: `"tir.is_entry_func"` is not in dialect 0.25, which has `"tirx.is_entry_func"`
    #!     fix: write `"tirx.is_entry_func"`
    T.ptx.bar.sync(T.uint32(0))
    s = T.alloc_local((1,), "uint32")
    T.ptx.ld.shared.b32(s[0], s.ptr_to([0]))


@T.prim_func
def neither(A: T.Buffer((4,), "float32")):
    T.func_attr({"tir.noalias": True})
    #!           ^^^^^^^^^^^^^ warning[RLX0902]: `"tir.noalias"` is not in dialect 0.25, which has `"tirx.noalias"`
    #!     fix: write `"tirx.noalias"`
    T.ptx.bar.nothing(T.uint32(0))
#!  ^^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.bar.nothing` fits no instruction of PTX: `nothing` is no word of it, or not here
