# `T.float32x2` is a name of both releases behind which there is no function; dtypes as strings have two lanes like any number.
# An index whose dtype is not known may be a vector, so that what it loads is any number of elements.
from tvm.script import tirx as T
from config import offset


@T.prim_func(s_tir=True)
def two(A: T.Buffer((4,), "float32x2"), x: T.int8x2):
#!                                         ^^^^^^^^ error[RLX0614]: TVM makes no vector of 2 elements by `T.int8x2`: write T.Broadcast, T.Ramp, or the dtype as a string
    a: T.float32x2 = A[0]
    #! ^^^^^^^^^^^ error[RLX0614]: TVM makes no vector of 2 elements by `T.float32x2`: write T.Broadcast, T.Ramp, or the dtype as a string
    A[1] = T.Broadcast(T.float32(0), 2)
    A[2] = T.reinterpret("float32x2", T.Broadcast(T.int32(0), 2))
    A[3] = T.float32x2(1)
    #!     ^^^^^^^^^^^ error[RLX0614]: TVM makes no vector of 2 elements by `T.float32x2`: write T.Broadcast, T.Ramp, or the dtype as a string


@T.prim_func(s_tir=True)
def of_unknown(A: T.Buffer((64,), "float16")):
    B = T.alloc_buffer((16,), "float16x4")
    B[0] = A[T.Ramp(offset, T.int64(1), 4)]
    B[1] = A[T.Ramp(T.int64(8), T.int64(1), 4)]
    B[2] = A[8]
    #!     ^^^^ error[RLX0614]: an expression of float16, expected a vector of as many elements
