# A variable behind a colon stands for its type: a block does not use the loop by it.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
    for i, k in T.grid(8, 4):
        with T.sblock("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(A[vi, vk])
            T.writes(B[vi])
            steps: k = 2
            with T.init():
                B[vi] = 0.0
            B[vi] = B[vi] + A[vi, vk] * T.Cast("float32", steps)
