# What a misspelt block holds is asked as in a block that may be one: its buffers are matched to parts of others.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def copy(A: T.Buffer((16, 4), "float32"), B: T.Buffer((16, 4), "float32")):
    for i in range(16):
        with T.sblok("copy"):
        #!     ^^^^^ error[RLX0203]: `T.sblok` does not exist; did you mean `T.sblock`?
        #!     fix: change to `T.sblock`
            vi = T.axis.spatial(16, i)
            A1 = T.match_buffer(A[vi, 0:4], (4,), "float32", offset_factor=1)
            B1 = T.match_buffer(B[vi, 0:4], (4,), "float32", offset_factor=1)
            for j in range(4):
                B1[j] = A1[j] + T.float32(1)


@T.prim_func(s_tir=True)
def lost(A: T.Buffer((16, 4), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.sblock("outer"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:4])
            T.writes(B[vi])
            for k in range(4):
                vk = T.axis.reduce(4, k)
                #!   ^^^^^^^^^^^^^^^^^^^ error[RLX0614]: T.axis.reduce stands at the top of a block, not below a loop or a condition in it
                T.reads(A[vi, vk])
                T.writes(B[vi])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def scalar(A: T.Buffer((16,), "float32"), B: T.Buffer((), "float32")):
    for i in range(15):
        B[i] = A[i]
#!      ^^^^ error[RLX0614]: 1 index for 0 dimensions
        A[i + 1] = B[i]
