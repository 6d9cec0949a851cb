# Decorators that are imported by name, and those of functions in a PrimFunc.
from tvm.script import ir as I, relax as R, tirx as T
from tvm.script.relax import Tensor, function
from tvm.script.tirx import Buffer, prim_func


@prim_func
def plain(A: Buffer((8,), "float32")):
    A[0] = T.float32(1)


@prim_func(s_tir=True)
#! 1-22 error[RLX0454]: a decorator with arguments is written with its namespace, as `T.prim_func(…)`
def arguments(A: Buffer((8,), "float32")):
    A[0] = T.float32(1)


@function
def relax(x: Tensor((2, 3), "float32")):
    return R.add(x, x)
    #! gv: R.Tensor((2, 3), dtype="float32")


@function(private=True)
#! 1-23 error[RLX0454]: a decorator with arguments is written with its namespace, as `R.function(…)`
def relax_arguments(x: Tensor((2, 3), "float32")):
    return x


@I.ir_module
class Module:
    @prim_func(private=True)
#!   ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0454]: a decorator with arguments is written with its namespace, as `T.prim_func(…)`
    def inside(A: Buffer((8,), "float32")):
        A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def functions_inside(A: T.Buffer((16, 16), "float32")):
    @T.inline
    def right(x):
        x[0, 0] = 1.0

    @T.macro
#!  ^^^^^^^^ error[RLX0614]: a function in a PrimFunc is decorated by T.inline, and nothing else
    def macro(x):
        x[0, 0] = 1.0

    @T.prim_func
#!  ^^^^^^^^^^^^ error[RLX0614]: a function in a PrimFunc is decorated by T.inline, and nothing else
    def primfunc(n: T.int32):
        T.evaluate(n)

    right(A)


@T.prim_func(s_tir=True)
def relax_inside(A: T.Buffer((16, 16), "float32")):
    for i in range(2):
        @R.function
#!      ^^^^^^^^^^^ error[RLX0614]: a function in a PrimFunc is decorated by T.inline, and nothing else
        def other(x: R.Tensor((2,), "float32")):
            return x
    A[0, 0] = 1.0
