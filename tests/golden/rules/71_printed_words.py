# rlx-golden: check
# Words of an instruction may stand as texts behind its operands, as TVM prints them, then a marker; a text is no operand. What loops
# run to is cast to int32, which infinity and 1e10 are not.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def words(A: T.Buffer((16,), "int32")):
    T.ptx.add(A[0], A[1], A[2], "s32", "")
    T.ptx.add(A[0], A[1], A[2], "", "s33", "")
#!  ^^^^^^^^^ error[RLX0618]: `T.ptx.add.s33` fits no instruction of PTX: `s33` is no word of it, or not here
    T.ptx.add(A[0], A[1], A[2], "")
#!  ^^^^^^^^^ error[RLX0618]: `T.ptx.add` fits no instruction of PTX: a word for `dtype` is missing: f32x2
    T.ptx.add.s32(A[0], "A", A[2])
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.add.s32` fits no instruction of PTX: a text before other operands is none
    T.ptx.bar(0, "sync", "n")


@T.prim_func(s_tir=True)
def ends(A: T.Buffer((16,), "int32")):
    for i in range(T.infinity("float16")):
    #!             ^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of float16, expected an integer
        A[0] = 1
    for i in T.serial(0, 1e10):
    #!                   ^^^^ error[RLX0614]: a float, expected an integer
        A[0] = 1
    for i in range(2.5):
        A[0] = 1
