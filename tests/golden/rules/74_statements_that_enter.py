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
#!  ^^^^^^^^ error[RLX0614]: T.Then and T.Else stand at the top of T.If
    B[0] = 1


@T.prim_func(s_tir=True)
def no_branch(B: T.Buffer((16,), "int32"), n: T.int32):
    B[1] = 1
    T.If(n < 3)
#!  ^^^^^^^^^^^ error[RLX0614]: in T.If stand one T.Then, a T.Else behind it, and nothing else
    B[0] = 1


@T.prim_func(s_tir=True)
def without_end(B: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        B[i] = 1
        T.If(i < n)
#!      ^^^^^^^^^^^ error[RLX0614]: in T.If stand one T.Then, a T.Else behind it, and nothing else


@T.prim_func(s_tir=True)
def branches_behind(B: T.Buffer((16,), "int32"), n: T.int32):
    T.If(n < 3)
    with T.Then():
        B[0] = 1
    with T.Else():
        B[0] = 2


@T.prim_func(s_tir=True)
def more_than_branches(B: T.Buffer((16,), "int32"), n: T.int32):
    T.If(n < 3)
#!  ^^^^^^^^^^^ error[RLX0614]: in T.If stand one T.Then, a T.Else behind it, and nothing else
    with T.Then():
        B[0] = 1
    B[0] = 2


@T.prim_func(s_tir=True)
def other_branch_inside(B: T.Buffer((16,), "int32"), n: T.int32):
    T.If(n < 3)
    T.Then()
    B[0] = 1
    T.Else()
#!  ^^^^^^^^ error[RLX0614]: T.Then and T.Else stand at the top of T.If
    B[0] = 2


@T.prim_func(s_tir=True)
def decided_by_python(B: T.Buffer((16,), "int32"), n: T.int32):
    T.If(n < 3)
    if True:
        T.Then()
    B[0] = 2


@T.prim_func(s_tir=True)
def below_a_loop(B: T.Buffer((16,), "int32")):
    for i in range(16):
        T.Then()
#!      ^^^^^^^^ error[RLX0614]: T.Then and T.Else stand at the top of T.If
        B[i] = 1


@T.prim_func(s_tir=True)
def init_below_a_loop(B: T.Buffer((16,), "int32")):
    with T.sblock("sum"):
        for i in range(16):
            T.init()
#!          ^^^^^^^^ error[RLX0614]: T.init stands at the top of a block, not below a loop or a condition in it
            B[i] = 1


@T.prim_func(s_tir=True)
def init_of_no_block(B: T.Buffer((16,), "int32")):
    for i in range(16):
        T.init()
#!      ^^^^^^^^ error[RLX0614]: T.init stands in a block
        B[i] = 1


@T.prim_func(s_tir=True)
def init_in_init(B: T.Buffer((16,), "int32")):
    for i, k in T.grid(16, 4):
        with T.sblock("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                T.init()
#!              ^^^^^^^^ error[RLX0614]: T.init stands at the top of a block, not below a loop or a condition in it
                B[vi] = 0
            B[vi] = B[vi] + vk
