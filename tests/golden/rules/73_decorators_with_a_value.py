# Decorators that are expressions: what the text says they are, and what functools.partial gives.
import functools
from functools import partial as part

from tvm.script import ir as I, relax as R, tirx as T

made = functools.partial(R.function, private=True)
is_on = True


@(is_on and R.function)
def right_of_and(x: R.Tensor((2,), "float32")):
    return R.abs(y)
    #!           ^ error[RLX0201]: `y` is not defined
    #!     fix: change to `x`
    #! gv: R.Object


@("" or T.prim_func)
def right_of_or(a: T.Buffer((2,), "float32")):
    T.nothing()
#!    ^^^^^^^ error[RLX0203]: `T.nothing` does not exist


@(T.prim_func if False else R.function)
def chosen(x: R.Tensor((2,), "float32")):
    return R.abs(y)
    #!           ^ error[RLX0201]: `y` is not defined
    #!     fix: change to `x`
    #! gv: R.Object


@{3: R.function}[3]
def of_a_dict(x: R.Tensor((2,), "float32")):
    return R.abs(y)
    #!           ^ error[RLX0201]: `y` is not defined
    #!     fix: change to `x`
    #! gv: R.Object


@(chosen_one := R.function)
def named(x: R.Tensor((2,), "float32")):
    return R.abs(y)
    #!           ^ error[RLX0201]: `y` is not defined
    #!     fix: change to `x`
    #! gv: R.Object


@(R.function or 1)(private=True)
#! 1-32 error[RLX0454]: a decorator with arguments is written with its namespace, as `R.function(…)`
def with_arguments(x: R.Tensor((2,), "float32")):
    return R.abs(x)
    #! gv: R.Tensor((2,), dtype="float32")


@made
#! 1-5 error[RLX0454]: what functools.partial gives decorates no function that TVM's parser reads
def of_a_name(x: R.Tensor((2,), "float32")):
    return R.abs(x)
    #! gv: R.Tensor((2,), dtype="float32")


@part(T.prim_func, s_tir=True)
#! 1-30 error[RLX0454]: what functools.partial gives decorates no function that TVM's parser reads
def of_a_call(a: T.Buffer((2,), "float32")):
    T.evaluate(0)


@I.ir_module
class Module:
    @(R.function if True else 0)
    def inside(x: R.Tensor((2,), "float32")):
        return R.abs(y)
        #!           ^ error[RLX0201]: `y` is not defined
        #!     fix: change to `x`
        #! gv: R.Object

    @R.function
    def caller(x: R.Tensor((2,), "float32")):
        return Module.inside(x)
        #! gv: R.Object


@I.ir_module
class OfACall:
    @(T.macro and T.prim_func(s_tir=True))
    def flags_that_the_parser_does_not_see(A: T.Buffer((4,), "float32")):
        with T.sblock("one"):
        #!   ^^^^^^^^ error[RLX0611]: `T.sblock` in a PrimFunc without `s_tir=True`
            A[0] = T.float32(1)


@(T.prim_func(s_tir=True) if True else None)
def called_by_python(A: T.Buffer((4,), "float32")):
    with T.sblock("one"):
        A[0] = T.float32(1)


@I.ir_module
class FromTheEnd:
    @[None, T.prim_func(s_tir=True), T.macro][-2]
    def counted_back(A: T.Buffer((4,), "float32")):
        with T.sblock("one"):
        #!   ^^^^^^^^ error[RLX0611]: `T.sblock` in a PrimFunc without `s_tir=True`
            A[0] = T.float32(1)
