# Blocks as they were written in 2021: their variables in the header, T.bind below.
# rlx-golden: check
from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (16, 32), "float32")
    B = T.match_buffer(b, (16, 32), "float32")
    for i, j in T.grid(16, 32):
        with T.block([16, 32], "y") as [vi, vj]:
            T.bind(vi, i)
            T.bind(vj, j)
            B[vi, vj] = A[vi, vj] + 1.0

@T.prim_func
def g(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (16, 32), "float32")
    B = T.match_buffer(b, (16,), "float32")
    for i, j in T.grid(16, 32):
        with T.block([16, T.reduce_axis(0, 32)], "y") as [vi, vj]:
            with T.init():
                B[vi] = 0.0
            B[vi] = B[vi] + A[vi, vj]

@T.prim_func
def shifted(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (20,), "float32")
    B = T.match_buffer(b, (20,), "float32")
    for i in range(10):
        with T.block([T.range(4, 14)], "y") as [vi]:
            T.bind(vi, i + 4)
            B[vi] = A[vi]

@T.prim_func
def mistakes(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (16,), "float32")
    B = T.match_buffer(b, (16,), "float32")
    for i in range(16):
        with T.block([16], "y") as [vi, vj]:
        #!   ^^^^^^^^^^^^^^^^^^ error[RLX0607]: T.block: it takes one domain for each variable
            B[vi] = A[vj]
    with T.block([16], "z") as [vi]:
    #!   ^^^^^^^^^^^^^^^^^^ error[RLX0607]: T.block: there is no loop around it for its variable
        B[vi] = A[vi]
