# A loop that runs too far leaves several buffers at once: one report. Indices that have nothing in common are mistakes of their own.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def copy(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16, 8), "float32")):
    for i, j in T.grid(17, 8):
        with T.sblock("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + T.float32(1)
            #!          ^^^^^^^^^ warning[RLX0620]: A[16, 0] is read at (i, j) = (16, 0), outside of its shape (16, 8)
            #!     line 11: here, too


@T.prim_func(s_tir=True)
def three(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(20):
        with T.sblock("sum"):
            vi = T.axis.spatial(20, i)
            C[vi] = A[vi] + B[vi]
            #!      ^^^^^ warning[RLX0620]: A[16] is read at i = 16, outside of its shape (16,)
            #!     line 19: here, too
            #!     line 19: here, too


# The lengths differ, so that the loop is right for one of them.
@T.prim_func(s_tir=True)
def lengths(A: T.Buffer((15,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(17):
        with T.sblock("copy"):
            vi = T.axis.spatial(17, i)
            B[vi] = A[vi]
#!          ^^^^^^^^^^^^^ warning[RLX0620]: B[16] is written at i = 16, outside of its shape (16,)
            #!      ^^^^^ warning[RLX0620]: A[15] is read at i = 15, outside of its shape (15,)


@T.prim_func(s_tir=True)
def apart(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.sblock("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi + 1, vj] = A[vi, vj + 1]
#!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0620]: B[16, 0] is written at (i, j) = (15, 0), outside of its shape (16, 16)
            #!              ^^^^^^^^^^^^^ warning[RLX0620]: A[0, 16] is read at (i, j) = (0, 15), outside of its shape (16, 16)
