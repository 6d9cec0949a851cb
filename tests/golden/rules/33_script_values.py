# Values of a PrimFunc's script: numbers, expressions, buffers, parts of them, each where it may stand.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def wrong(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8,), "float32"), h: T.handle):
    for i in range(8):
        B[i] = A
        #!     ^ error[RLX0604]: buffer `A` has 2 dimensions, and 0 indices are given


@T.prim_func(s_tir=True)
def shape(B: T.Buffer((8,), "float32"), h: T.handle):
    C = T.match_buffer(h, ("eight",), "float32")
    #!                     ^^^^^^^ error[RLX0614]: a string, expected a dimension
    for i in range(8):
        B[i] = C[i]


@T.prim_func(s_tir=True)
def condition(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        if A:
        #! ^ error[RLX0604]: buffer `A` has 1 dimension, and 0 indices are given
            B[i] = A[i]


@T.prim_func(s_tir=True)
def operand(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = A[i] + "1"
        #!     ^^^^^^^^^^ error[RLX0614]: `+` does not take an expression of float32 and a string


@T.prim_func(s_tir=True)
def never(B: T.Buffer((8,), "float32")):
    n = T.int64()
    for i in range(8):
        B[i] = T.Cast("float32", n)
        #!                       ^ error[RLX0614]: this variable never gets a value: no buffer's shape names it


@T.prim_func(s_tir=True)
def right(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8,), "float32"), h: T.handle):
    n = T.int64()
    C = T.match_buffer(h, (n,), "float32")
    for i in range(8):
        if n > 8:
            B[i] = A[i, 0] + T.Cast("float32", n) + C[i]
