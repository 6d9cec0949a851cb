# Instructions of T.ptx: the words that each form of an instruction has, and the operands that follow from them.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func
def f(A: T.Buffer((4, 4), "float32")):
    T.ptx.add.rn.f32(A[0, 0], A[0, 1], A[0, 2])
    T.ptx.sub.rm.f32(A[0, 0], A[0, 1], A[0, 2])
    T.ptx.add.rn.f32(A[0, 0], A[0, 1])
#!  ^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.add.rn.f32` fits no instruction of PTX: with these words it takes 3 operands, 2 given
    T.ptx.add.rn.rm.f32(A[0, 0], A[0, 1], A[0, 2])
#!  ^^^^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.add.rn.rm.f32` fits no instruction of PTX: `rm` is no word of it, or not here
    T.ptx.sub.rn.f65(A[0, 0], A[0, 1], A[0, 2])
#!  ^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.sub.rn.f65` fits no instruction of PTX: `f65` is no word of it, or not here
    T.ptx.addd.rn.f32(A[0, 0], A[0, 1], A[0, 2])
#!  ^^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.addd.rn.f32` fits no instruction of PTX: there is none of this name
    T.ptx.fma.rn.f32(T.float32(2), A[0, 1], A[0, 2], A[0, 3])
#!  ^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.fma.rn.f32` fits no instruction of PTX: operand 1 is written, and nothing can be written to this value
