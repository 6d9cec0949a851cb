# What T.meta_var keeps for a name is taken apart as it is without: as a function of Python gives it, too.
# A loop around a block that it keeps there, and that nothing uses, is no use of the loop.
from somewhere import index_map
from tvm.script import tirx as T


@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), n: T.int32):
    for i, j in T.grid(16, 16):
        row, column = T.meta_var(index_map(i, j))
        A[row, column] = T.float32(0)
    first, (second, third) = T.meta_var((n, (n + 1, 2)))
    T.evaluate(first + second + third)
    *many, last = T.meta_var([4, 5])
    T.evaluate(last)
    key, other = T.meta_var({1: 2, 3: 4})
    T.evaluate(key + other)
    lower, upper = T.meta_var(range(2))
    T.evaluate(lower + upper)


@T.prim_func(s_tir=True)
def unused(A: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.sblock("kept"):
            vi = T.axis.spatial(16, i)
            outside = T.meta_var(i)
            A[vi] = T.float32(1)
