# rlx-golden: check
# PrimFuncs: what TVM's parser and its verifier refuse of blocks, loops, buffers and names. Right and wrong stand side by side.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def blocks_see_their_variables(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16,), "float32")):
    for i, j in T.grid(16, 16):
        with T.sblock("wrong"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, j])
            #!            ^ error[RLX0601]: loop `j` is used inside block "wrong", which sees its block variables only
            C[vi] = A[vi, j]
        with T.sblock("right"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(i < j)
            T.sblock_attr({"loop": 3})
            C[vi] = A[vi, vj]
        with T.sblock("opaque"):
            C[i] = A[i, j]
            for k in range(4):
                with T.sblock("inside"):
                    vk = T.axis.spatial(4, k)
                    C[vk] = A[vk, j]
                    #!            ^ error[RLX0601]: loop `j` is used inside block "inside", which sees its block variables only


@T.prim_func(s_tir=True)
def inner_bindings_belong_to_the_outer_block(A: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.sblock("outer"):
            vi = T.axis.spatial(16, i)
            for k in range(16):
                with T.sblock("right"):
                    vk = T.axis.spatial(16, k)
                    A[vi, vk] = T.float32(0)
                with T.sblock("wrong"):
                    vj = T.axis.spatial(16, j)
                    #!                      ^ error[RLX0601]: loop `j` is used inside block "outer", which sees its block variables only
                    A[vi, vj] = T.float32(0)


@T.prim_func(check_well_formed=False, s_tir=True)
def nobody_asks_the_verifier(A: T.Buffer((16,), "float32")):
    B = T.Buffer((16,), "float32")
    for i in range(16):
        with T.sblock("b"):
            vi = T.axis.spatial(16, i)
            A[i] = B[i]


@T.prim_func(s_tir=True)
def scopes(A: T.Buffer((16,), "float32"), n: T.int32):
    n = n + 1
#!  ^ error[RLX0602]: `n` is defined in this scope already
    B = T.sblock_alloc_buffer((16,))
    B = T.sblock_alloc_buffer((8,))
#!  ^ error[RLX0602]: `B` is defined in this scope already
    x: T.let[T.int32] = 42
    x = 17
#!  ^ error[RLX0602]: `x` is defined in this scope already
    y = n + 1
    y = n + 2
    for n in range(4):
        B[n] = T.float32(0)
        for n in range(4):
            B[n] = A[n]
        n = 3
#!      ^ error[RLX0602]: `n` is defined in this scope already
    with T.sblock("b"):
        v = T.axis.spatial(16, 3)
        v = T.axis.spatial(16, y)
#!      ^ error[RLX0602]: `v` is defined in this scope already
        A[v] = B[v]
    A[v] = T.float32(1)
#!    ^ error[RLX0201]: `v` is not defined
    A[v] = T.float32(2)


@T.prim_func(s_tir=True)
def parts_of_blocks(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        with T.sblock("twice"):
            vi = T.axis.reduce(16, i)
            T.where(i < n)
            T.where(i < 8)
#!          ^^^^^^^^^^^^^^ error[RLX0606]: T.where is given twice in this block
            T.reads(A[vi])
            T.reads(A[vi])
#!          ^^^^^^^^^^^^^^ error[RLX0606]: T.reads is given twice in this block
            T.writes(A[vi])
            T.writes(A[vi])
#!          ^^^^^^^^^^^^^^^ error[RLX0606]: T.writes is given twice in this block
            with T.init():
                A[vi] = T.float32(0)
            with T.init():
            #!   ^^^^^^^^ error[RLX0606]: T.init is given twice in this block
                A[vi] = T.float32(0)
            A[vi] = A[vi] + T.float32(1)
        with T.sblock("inside init"):
            vi = T.axis.reduce(16, i)
            with T.init():
                vj = T.axis.spatial(16, i)
                #!   ^^^^^^^^^^^^^^^^^^^^^ error[RLX0605]: T.axis stands outside of a block
                A[vj] = T.float32(0)
            A[vi] = A[vi] + T.float32(1)


@T.prim_func(s_tir=True)
def outside(A: T.Buffer((16,), "float32")):
    for i in range(16):
        vi = T.axis.spatial(16, i)
        #!   ^^^^^^^^^^^^^^^^^^^^^ error[RLX0605]: T.axis stands outside of a block
        A[vi] = T.float32(0)


@T.prim_func(s_tir=True)
def axes(A: T.Buffer((16,), "float32")):
    for i, j in T.grid(16, 16):
        with T.sblock("letters"):
            vi = T.axis.remap("X", [i])
            #!                ^^^ error[RLX0607]: T.axis.remap: its letters are S, R and O
            A[vi] = T.float32(0)
        with T.sblock("count"):
            vi, vj = T.axis.remap("SS", [i])
            #!       ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0607]: T.axis.remap: it takes one letter and one loop for each variable
            A[vi] = T.float32(0)
        with T.sblock("loops"):
            vi = T.axis.remap("S", [i + 1])
            #!                      ^^^^^ error[RLX0607]: T.axis.remap: it binds loop variables only
            A[vi] = T.float32(0)
        with T.sblock("binding"):
            vi = T.axis.spatial(16)
            #!   ^^^^^^^^^^^^^^^^^^ error[RLX0607]: T.axis: it takes a domain and a binding
            A[vi] = T.float32(0)


@T.prim_func(s_tir=True)
def buffers(A: T.Buffer((16, 16), "float32"), n: T.int32):
    V = T.Buffer((4,), "float32")
    W = T.decl_buffer((256,), data=A.data)
    U = T.Buffer((4,), "float32")
    V[0] = A[0, 0, 0] + W[3]
#!  ^ error[RLX0603]: buffer `V` is described by T.Buffer, but not declared
    #!     ^^^^^^^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 3 indices are given
    A[0, n / 2] = A[0, n // 2]
    #!   ^^^^^ error[RLX0608]: `/` on integers is ambiguous: write `//` or T.truncdiv
    A[0, n] = A[0, missing] + A[0, absent]
    #!             ^^^^^^^ error[RLX0201]: `missing` is not defined
    A[0, n] = A[missing, 0]
