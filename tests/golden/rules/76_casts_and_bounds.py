# Casts to a handle and of vectors; what Python's bools choose between; the dtypes of a loop's bounds, which 0.25 keeps as they are given.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def casts(A: T.Buffer((8,), "int64"), n: T.int64):
    T.evaluate(T.Cast("handle", n))
    T.evaluate(T.cast(A[0], "handle"))
    T.evaluate(A[1].astype("handle"))


@T.prim_func(s_tir=True)
def constant_cast(A: T.Buffer((8,), "int64")):
    T.evaluate(T.cast(T.int64(8), "handle"))
    #!         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: no number is cast to a handle


@T.prim_func(s_tir=True)
def constant_as_handle(A: T.Buffer((8,), "int64")):
    A[0] = T.int64(1)
    T.evaluate(T.float32(2).astype("handle"))
    #!         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: no number is cast to a handle


@T.prim_func(s_tir=True)
def lanes_kept(A: T.Buffer((8,), "float32")):
    A[T.ramp(0, 1, 8)] = T.Broadcast(1, 8).astype("float32x8")
    A[0:4] = T.Broadcast(2, 8).astype("float32x4")
    #!       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of int32x8, expected 4 lanes


@T.prim_func(s_tir=True)
def chosen(A: T.Buffer((8,), "int32"), n: T.int32):
    if T.max(True, False) == (n < 2):
        A[0] = 1
    if T.if_then_else(n < 4, False, True) == T.int32(0):
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: `==` does not take an expression of bool and an expression of int32
        A[1] = 1


@T.prim_func(s_tir=True)
def bounds(A: T.Buffer((8,), "float32"), narrow: T.uint16, wide: T.uint64, signed: T.int64):
    for i in range(narrow):
        A[i] = T.float32(1)
#!      ^^^^^^^^^^^^^^^^^^^ hint[RLX0627]: it depends on lengths: for narrow = 9, A[8] is written at i = 8, outside of its shape (8,)
    for j in T.serial(wide, signed):
        A[j] = T.float32(2)
#!      ^^^^^^^^^^^^^^^^^^^ hint[RLX0627]: it depends on lengths: for wide = 0, signed = 9, A[8] is written at j = 8, outside of its shape (8,)
    for k in T.parallel(wide):
        A[k] = T.float32(3)
#!      ^^^^^^^^^^^^^^^^^^^ hint[RLX0627]: it depends on lengths: for wide = 9, A[8] is written at k = 8, outside of its shape (8,)


@T.prim_func(s_tir=True)
def below_zero(A: T.Buffer((8,), "float32"), wide: T.uint64):
    for i in T.unroll(-2, wide):
    #!       ^^^^^^^^^^^^^^^^^^ error[RLX0614]: the loop begins below 0, and its end is unsigned
        A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def threads(A: T.Buffer((8,), "float32"), wide: T.uint64, signed: T.int64):
    for i in T.thread_binding(signed, wide, thread="blockIdx.x"):
    #!       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: the bounds of the loop have different dtypes
        A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def narrow_begin(A: T.Buffer((8,), "float32"), narrow: T.int16):
    for i in T.thread_binding(narrow, 8, thread="threadIdx.y"):
    #!       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: the bounds of the loop have different dtypes
        A[0] = T.float32(1)
