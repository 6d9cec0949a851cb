# Buffers with too few indices where TVM takes one value: comparisons, conditions, extents, what a name stands for.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def values(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32"), M: T.Buffer((8, 4), "bool")):
    for i in range(8):
        with T.sblock("compared"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:4])
            if A[vi] > B[vi]:
            #! ^^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
                B[vi] = 1
            B[vi] = T.Select(B[vi] == A[vi], 1, 2)
            #!                        ^^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
            B[vi] = T.if_then_else(A[vi, 0:4] <= T.int32(3), 1, 2)
            #!                     ^^^^^^^^^^ error[RLX0612]: this part of buffer `A` is no value
            B[vi] = T.if_then_else(A[vi, 0] <= T.int32(3), 1, 2)
    for i in range(8):
        if M[i]:
        #! ^^^^ error[RLX0604]: buffer `M` has 2 dimensions, and 1 index is given
            B[i] = 3
        B[i] = 1 if M[i] else 2
        #!          ^^^^ error[RLX0604]: buffer `M` has 2 dimensions, and 1 index is given
        x: T.let[T.int32] = A[i]
        #!                  ^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
        B[i] = x
        row = A[i]
        B[i] = A[i, 0]
    for i in range(A[0]):
    #!             ^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
        B[i] = 1
    for i, j in T.grid(8, A[0, 0:2]):
    #!                    ^^^^^^^^^ error[RLX0612]: this part of buffer `A` is no value
        B[i] = 1
    for i in range(8):
        with T.sblock("axis"):
            vi = T.axis.spatial(A[0], i)
            #!                  ^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
            B[vi] = 4


@T.prim_func(s_tir=True)
def vectors(A: T.Buffer((8, 4), "uint8"), B: T.Buffer((4,), "uint8")):
    x: T.uint8x4 = A[2, 0:4]
    B[0:4] = x
    y = T.bind(A[0, 0:4])
    B[0:4] = y
    z: T.let[T.uint8x4] = A[1, 0:4]
    #!                    ^^^^^^^^^ error[RLX0612]: this part of buffer `A` is no value
    B[0] = T.uint8(1)


@T.prim_func
def names(A: T.Buffer((8, 4), "int32")):
    for (i, j) in T.grid(8, 4):
        A[i, j] = 1
    for [i, j] in T.grid(8, 4):
        A[i, j] = 1
    for i, (j, k) in T.grid(8, 4):
    #!     ^^^^^^ error[RLX0613]: loops of `T.grid`: 1, names for them: 2
        A[i, j] = 1
