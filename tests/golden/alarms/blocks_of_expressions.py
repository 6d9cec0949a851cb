# A block whose `with` is an expression of Python that gives one: what stands in it belongs to it, not to the block around. Likewise shapes.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def sums(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
    with T.sblock("outer"):
        T.reads(A[0:8, 0:4])
        T.writes(B[0:8])
        for i, k in T.grid(8, 4):
            with [T][0].sblock("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(A[vi, vk])
                T.writes(B[vi])
                with T.init():
                    B[vi] = 0.0
                B[vi] = B[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def lengths(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, ([n for _ in range(2)][0],))
    B = T.match_buffer(b, (8,))
    for i in range(8):
        B[i] = A[i] + T.Cast("float32", n)
