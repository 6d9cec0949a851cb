# A block, a condition or its branch that a statement enters, without `with`, holds the rest of its suite.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def blocks(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        T.sblock("outer")
        vi = T.axis.spatial(16, i)
        T.reads(A[vi, 0])
        T.writes(B[vi])
        T.sblock_attr({"k": 1})
        B[vi] = 1
    with T.If(n < 3):
        T.Then()
        B[0] = 2


@T.prim_func(s_tir=True)
def left(B: T.Buffer((16,), "int32")):
    for i in range(16):
        T.sblock("inner")
        B[i] = 1
    T.reads(B[0])
#!  ^^^^^^^^^^^^^ error[RLX0614]: T.reads stands in a block


@T.prim_func(s_tir=True)
def loose_init(B: T.Buffer((16,), "int32")):
    T.init()
#!  ^^^^^^^^ error[RLX0614]: T.init stands in a block
    B[0] = 1


@T.prim_func(s_tir=True)
def loose_branch(B: T.Buffer((16,), "int32")):
    T.Else()
#!  ^^^^^^^^ error[RLX0614]: T.Else stands in T.If
    B[0] = 1
