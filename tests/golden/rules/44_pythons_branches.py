# What Python decides while TVM parses a PrimFunc. In 0.27 the branch that it decides for opens no scope, and the other one
# is not evaluated; a loop's `else` is never read.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def kept(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32"), n: T.int32):
    if not 2 < 1:
        first: T.let[T.float32] = A[1, 2]
    if n > 2 and True:
        second: T.let[T.float32] = A[1, 3]
    B[0, 0] = first
    B[0, 1] = second
    #!        ^^^^^^ error[RLX0201]: `second` is not defined
    first: T.let[T.float32] = A[3, 3]
    if 1 == 1 or nobody:
        third = T.alloc_buffer((2,), "float32")
    third[1] = A[0, 1] if 3 >= 3 else nowhere[0]


@T.prim_func(s_tir=True)
def entered(A: T.Buffer((4, 8), "float32"), handle: T.handle):
    if 0 != 1:
        matched = T.match_buffer(handle, (3, 3), "float32")
    with T.sblock("outer"):
        if True:
            T.attr(0, "key", 2)
        T.writes(A[0, 0])
#!      ^^^^^^^^^^^^^^^^^ error[RLX0614]: T.writes stands at the top of a block, not below a loop or a condition in it
        A[0, 0] = matched[1, 1]


@T.prim_func(s_tir=True)
def otherwise(A: T.Buffer((4, 8), "float32")):
    for i in range(4):
        A[i, 0] = 2.0
    else:
        A[missing] = 1.0
    if 2 != 2:
        A[missing] = 1.0


@T.prim_func(s_tir=True)
def compared(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    if "text" == 3 or None == ():
        A[missing] = 1.0
    if T != 1:
        A[0, missing] = 1.0
        #!   ^^^^^^^ error[RLX0201]: `missing` is not defined
    either = A or B
    A[1, 1] = (T.float32 if True else 0)(2)
