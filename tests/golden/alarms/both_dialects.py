# Functions that 0.25 and 0.27 read: what one of the two accepts is no mistake, wherever else the file is of 0.27.
from tvm.script import ir as I, relax as R, tirx as T


@T.prim_func
def new(a: T.int32) -> T.int32:
    return a + 1


@T.prim_func(s_tir=True)
def part_as_vector(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(4):
        A[i * 16 : i * 16 + 16] = B[i * 16 : i * 16 + 16] + T.broadcast(T.float32(1), 16)


@T.prim_func(s_tir=True)
def variable(A: T.Buffer((64,), "int32")):
    n = T.Var("n", ty="int32")
    for i in range(n):
        A[i] = 1
#!      ^^^^^^^^ hint[RLX0627]: it depends on lengths: for n = 65, A[64] is written at i = 64, outside of its shape (64,)
