# T.sin, T.cos and T.tan take floats alone; a dimension is no void and no vector; shapes and pointers as indices; what two integers give.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def floats(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "int32"), H: T.Buffer((16,), "float16"), n: T.int32):
    A[0, 0] = T.tan(n)
    #!              ^ error[RLX0614]: an expression of int32, expected a float
    A[0, 1] = T.sin(B[0])
    #!              ^^^^ error[RLX0614]: an expression of int32, expected a float
    A[0, 2] = T.cos(n < 1)
    #!              ^^^^^ error[RLX0614]: an expression of bool, expected a float
    A[0, 3] = T.cos("x")
    #!              ^^^ error[RLX0614]: a string, expected a float
    A[0, 4] = T.tan(3)
    #!              ^ error[RLX0614]: an int, expected a float
    A[1, 0] = T.tan(1.5)
    A[1, 1] = T.sin(A[0, 0]) + T.cos(T.cast(n, "float32"))
    H[1] = T.tan(H[0])
    A[1, 2] = T.cos(T.call_extern("float32", "f"))


@T.prim_func(s_tir=True)
def voids(h: T.handle):
    a, b = T.void(), T.int64()
    A = T.match_buffer(h, (b, a), "float32")
    #!                        ^ error[RLX0614]: an expression, expected a dimension


@T.prim_func(s_tir=True)
def indices(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32")):
    A[A.shape] = T.float32(1)
    A[A.shape[0:2]] = T.float32(1)
    A[B.shape[0]] = T.float32(1)
#!  ^^^^^^^^^^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given


@T.prim_func(s_tir=True)
def pointers_as_indices(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), h: T.handle):
    for i in range(16):
        with T.sblock("detected"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi, h]
            #!            ^ error[RLX0614]: an expression of handle, expected an index
        with T.sblock("written"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:16])
            T.writes(B[vi])
            B[vi] = A[vi, h]


@T.prim_func(s_tir=True)
def vectors(h: T.handle, g: T.handle, n: T.int32, m: T.uint8):
    A = T.match_buffer(h, (16, T.int32x4(8)), "float32")
    #!                         ^^^^^^^^^^^^ error[RLX0614]: an expression of int32x4, expected a dimension
    B = T.match_buffer(g, (16,), "int32")
    x: T.let[T.int32] = n + m
    y: T.let[T.uint8] = n + m
    #!                  ^^^^^ error[RLX0614]: a value of int32 under a name of uint8
    z: T.let[T.uint64] = T.cast(n, "int32x4") + T.uint64(8)
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a value of uint64x4 under a name of uint64
    w: T.let[T.uint64] = T.cast(n, "int64") + T.uint64(8)
    B[0] = x
