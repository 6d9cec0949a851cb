# What Python evaluates in the signature of a PrimFunc, and variables of thread axes: TVM 0.27 refuses the last function alone.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def chosen(A: T.Buffer((T.int64(2) if T.int64 else 3, 4), "float32"), q: T.var("int32")):
    T.evaluate(q)


@T.prim_func(s_tir=True)
def named(A: T.Buffer((size := 4, 4), "float32")):
    with T.sblock("b"):
        A[0, 0] = T.float32(0)


@T.prim_func(s_tir=True)
def launched(A: T.Buffer((16,), "float32")):
    x = T.env_thread("threadIdx.x")
    with T.launch_thread(x, 16):
        A[x] = T.float32(0)
    with T.launch_thread(x, 16):
        A[x] = T.float32(1)


@T.prim_func(s_tir=True)
def not_launched(A: T.Buffer((16,), "float32")):
    x = T.env_thread("threadIdx.x")
    with T.launch_thread(x, 16):
        A[x] = T.float32(0)
    A[x] = T.float32(1)
#!    ^ error[RLX0614]: the variable of a thread axis, which nothing launches here
