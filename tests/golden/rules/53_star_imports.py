# What `from module import *` brings is unknown where the module can't be read: no name is undefined on account of it.
from tvm.script import ir as I, relax as R, tirx as T
from somewhere import *


@instrumented
@I.ir_module(check_well_formed=CHECKED)
class Module:
    @T.prim_func(s_tir=True)
    def scale(A: T.Buffer((ROWS, 4), DTYPE), B: T.Buffer((4,), "float32")):
        T.func_attr({"tuned": TUNED})
        for i in range(COUNT):
            with T.sblock(LABEL):
                vi = T.axis.spatial(COUNT, i)
                A[vi, 0] = T.max(A[vi, 1], LIMIT) * T.float32(SCALE)
        B[0, 0] = T.float32(SCALE)
#!      ^^^^^^^ error[RLX0604]: buffer `B` has 1 dimension, and 2 indices are given

    @helper.registered
    def other():
        pass

    @R.function
    def main(x: R.Tensor((ROWS, 4), DTYPE)):
        R.func_attr({"tuned": TUNED})
        return x


@prim_func_of(TARGET)
def loose(A: T.Buffer((ROWS,), DTYPE)):
    A[0] = T.exp2(SCALE)


@T.prim_func
def words(A: T.Buffer((4,), "float32")):
    A[0] = len
    #!     ^^^ error[RLX0614]: a function, expected an expression
    A[1] = T.relu(SCALE)
    #!       ^^^^ error[RLX0203]: `T.relu` does not exist
