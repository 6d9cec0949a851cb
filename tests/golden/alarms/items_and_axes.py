# An item that Python takes of a list is all that is used of it; axes of a block may be made where they are used.
from tvm.script import ir as I, relax as R, tirx as T


@T.prim_func(s_tir=True)
def dropped_loops(A: T.Buffer((4, 8), "float32"), B: T.Buffer((8,), "float32")):
    for i, j in T.grid(4, 8):
        with T.sblock("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(B[[vj, j][0]])
            T.writes(A[vi, (j + 1, vj)[-1]])
            A[vi, vj] = B[vj]


@T.prim_func(s_tir=True)
def kept_loop(B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("write"):
            vi = T.axis.spatial(8, i)
            B[vi] = [i, vi][0]
            #!       ^ error[RLX0601]: loop `i` is used inside block "write", which sees its block variables only


@T.prim_func(s_tir=True)
def axes_as_indices(A: T.Buffer((4, 8), "float32"), B: T.Buffer((8,), "float32")):
    for i, j in T.grid(4, 8):
        with T.sblock("both"):
            A[T.axis.remap("SS", [i, j])] = T.float32(1)
    for i, j in T.grid(4, 8):
        with T.sblock("second"):
            vi = T.axis.spatial(4, i)
            B[vi] = B[T.axis.remap("S", [j])] + B[T.axis.spatial(8, j)]


@T.prim_func(s_tir=True)
def too_many_axes(A: T.Buffer((4, 8), "float32")):
    for i, j in T.grid(4, 8):
        with T.sblock("three"):
            A[T.axis.remap("SSS", [i, i, j])] = T.float32(1)
#!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 3 indices are given


@R.function
def letters(x: R.Tensor(("n", "nm"[-1]), "float32")) -> R.Tensor(("n", "m"), "float32"):
    n, m = T.int64(), T.int64()
    y: R.Tensor((n, m), "float32") = R.add(x, x)
    #! y: R.Tensor((n, m), dtype="float32")
    return y


@R.function
def another_letter(x: R.Tensor(("n", "nm"[0]), "float32")) -> R.Tensor(("n", "m"), "float32"):
#!                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `m` has no value: no parameter and no match_cast above has it as a dimension by itself
    return x
