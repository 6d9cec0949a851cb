# What T.cuda.warp_sum and its like give is of their argument's dtype; no part of a buffer is one value; T.Let gives one variable a value; T.boolean; axes as values.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def sums(A: T.Buffer((8,), "float32"), n: T.int32):
    x = T.cuda.warp_max(A[0], 16)
    A[1] = x + T.cuda.cta_min(A[2], 2, A.data)
    if T.cuda.warp_reduce(n, "sum") == 3:
        A[0] = T.float32(0)


@T.prim_func(s_tir=True)
def other_dtype(A: T.Buffer((8,), "float32"), n: T.int32):
    A[0] = T.float32(0)
    if T.cuda.warp_min(n) == T.int64(3):
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: `==` does not take an expression of int32 and an expression of int64
        A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def no_condition(A: T.Buffer((8,), "float32"), n: T.int32):
    if n < 3 and T.cuda.warp_sum(A[0]):
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: `and` and `or` take conditions, not an expression of float32
        A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def part(A: T.Buffer((8,), "float32")):
    A[0] = T.metal.simd_shuffle(A[0:4], 1)
    #!                          ^^^^^^ error[RLX0614]: a part of a buffer, expected a value of one element


@T.prim_func(s_tir=True)
def no_variable(A: T.Buffer((8,), "float32")):
    A[0] = T.Let(A[1] + A[2], where={})
    #!                              ^^ error[RLX0614]: T.Let gives one variable a value


@T.prim_func(s_tir=True)
def flags(A: T.Buffer((8,), "float32"), n: T.int32):
    if T.boolean(n):
        A[0] = T.float32(1)
    A[1] = T.float32(T.boolean(5))
    #!                         ^ error[RLX0614]: 5 is no value of bool


@T.prim_func(s_tir=True)
def no_integer(A: T.Buffer((8,), "float32")):
    A[0] = T.log(True) // 3
    #!     ^^^^^^^^^^^^^^^^ error[RLX0614]: `//` does not take an expression of bool and an int


@T.prim_func(s_tir=True)
def unbound_axis(A: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("one"):
            vi = T.axis.spatial(8, i)
            A[vi] = A[T.axis.scan(8)]
            #!        ^^^^^^^^^^^^^^ error[RLX0614]: T.axis.scan takes its domain and what it is bound to
