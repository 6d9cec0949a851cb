from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((300,), "int32"), C: T.Buffer((300,), "int32")):
    B = T.sblock_alloc_buffer((300,), "int32")
    for i in range(300):
        with T.sblock("B"):
            v0 = T.axis.spatial(300, i)
            B[v0] = A[v0] * 2
    for i in range(300):
        with T.sblock("C"):
            v0 = T.axis.spatial(300, i)
            C[v0] = B[T.Cast("int32", T.Cast("uint8", v0))] + 1
