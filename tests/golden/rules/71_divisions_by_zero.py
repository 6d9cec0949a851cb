# TVM computes quotients of integers of every width, and remainders of int32 and int64 alone: these are found to be by zero.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def quotients(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint32"), C: T.Buffer((4,), "int16")):
    for i in range(4):
        A[i] = T.truncdiv(A[i], T.uint8(0))
        #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: division by zero
        B[i] = B[i] // 0
        #!     ^^^^^^^^^ error[RLX0614]: division by zero
        B[i] = T.floordiv(B[i], 0)
        #!     ^^^^^^^^^^^^^^^^^^^ error[RLX0614]: division by zero
        C[i] = T.ceildiv(C[i], T.int16(0))
        #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: division by zero
        C[i] = C[i] // T.int16(0)
        #!     ^^^^^^^^^^^^^^^^^^ error[RLX0614]: division by zero


@T.prim_func(s_tir=True)
def remainders(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint32"), C: T.Buffer((4,), "int64")):
    for i in range(4):
        A[i] = A[i] % T.uint8(0)
        B[i] = T.truncmod(B[i], 0)
        B[i] = T.floormod(B[i], T.uint32(0))
        C[i] = T.floormod(C[i], 0)
        #!     ^^^^^^^^^^^^^^^^^^^ error[RLX0614]: division by zero
