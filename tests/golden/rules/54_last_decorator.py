# rlx-golden: check
# Of several decorators TVM reads a function as the last one says; its keywords are those that are written; and Python knows what
# the file imports.
import tvm.script
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Last:
    @T.prim_func
    @R.function
    def relax(x: R.Tensor((2,), "float32")):
        y = R.abs(x)
        return y

    @R.function
    @T.prim_func(s_tir=True)
    def tir(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi]

    @R.function
    @I.pyfunc
#!   ^^^^^^^^ error[RLX0454]: a Python function stands in a module that derives from BasePyModule
    def python(x: R.Tensor((2,), "float32")):
        return x

    @T.prim_func(**{"s_tir": True})
    def unseen(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
            #!   ^^^^^^^^ error[RLX0611]: `T.sblock` in a PrimFunc without `s_tir=True`
            #!     fix: add `s_tir=True`
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi]

    @tvm.tirx.prim_func(s_tir=True)
    #!   ^^^^ error[RLX0454]: `tvm.tirx` has no `prim_func`
    def elsewhere(A: T.Buffer((4,), "float32")):
        T.evaluate(0)


    @tvm.script.tirx.prim_func(s_tir=True)
    def today(A: T.Buffer((4,), "float32")):
        T.evaluate(0)


@I.ir_module
class Derived(R):
#!            ^ error[RLX0454]: a namespace is no class that another derives from
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class Nothing(BasePyModule):
#!            ^^^^^^^^^^^^ error[RLX0201]: `BasePyModule` is not defined
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class Plain(object):
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


# At the top of a file each decorator is given what the one below made.
@R.function
#! 1-11 error[RLX0454]: `@R.function` is given what `@R.macro` below made, and decorates no such thing
@R.macro
def macro_below(x: R.Tensor((2,), "float32")):
    return x


@R.macro
#! 1-8 error[RLX0454]: `@R.macro` is given what `@R.function` below made, and decorates no such thing
@R.function
def macro_above(x: R.Tensor((2,), "float32")):
    return x


@R.macro
@T.macro
def macros(x: R.Tensor((2,), "float32")):
    return x


@I.ir_module
class Macros:
    @R.macro
#!   ^^^^^^^ error[RLX0454]: `@R.macro` is given what `@R.function` below made, and decorates no such thing
    @R.function
    def above(x: R.Tensor((2,), "float32")):
        return x
