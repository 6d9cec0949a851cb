# Functions that a PrimFunc calls by a name: a function of its module is reached through the module, a PrimFunc of the file is none in 0.25,
# and what T.inline decorates takes its parameters and gives nothing.
from tvm.script import ir as I, relax as R, tirx as T


@T.inline
def fill(A, i, v=1):
    A[i] = v


@T.inline()
def any_of(A, *more, **named):
    A[0] = 1


@T.prim_func(s_tir=True)
def alone(x: T.int32) -> T.int32:
    return x + 1


@T.prim_func(s_tir=True)
def inlines(A: T.Buffer((16,), "int32")):
    @T.inline
    def own(i, *, v):
        A[i] = v

    for i in range(16):
        fill(A, i)
        fill(A, i, v=2)
        any_of(A, 1, 2, x=3)
        own(i, v=1)
    fill(A)
#!  ^^^^^^^ error[RLX0614]: `fill`: it is given no `i`
    fill(A, 1, 2, 3)
#!  ^^^^^^^^^^^^^^^^ error[RLX0614]: `fill`: it is given more arguments than it takes
    fill(A, 1, w=2)
#!  ^^^^^^^^^^^^^^^ error[RLX0614]: `fill`: it has no parameter `w`
    own(1, 2)
#!  ^^^^^^^^^ error[RLX0614]: `own`: it is given more arguments than it takes
    own(1)
#!  ^^^^^^ error[RLX0614]: `own`: it is given no `v`
    x = fill(A, 1)
#!  ^ error[RLX0614]: None, expected a value of a PrimFunc under a name
    T.evaluate(fill(A, 1))
    #!         ^^^^^^^^^^ error[RLX0614]: None, expected an expression
    fill(*[A], **{"i": 1})


@T.prim_func(s_tir=True)
def calls(A: T.Buffer((16,), "int32")):
    A[0] = alone(1)


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func
    def first(x: T.int32) -> T.int32:
        return x + 1

    @T.prim_func
    def main(A: T.Buffer((16,), "int32")):
        A[0] = first(1)
        #!     ^^^^^ error[RLX0204]: function `first` of the module is written `Module.first`
        #!     fix: refer to it through the module
        A[1] = Module.first(1)
        A[2] = later(2)
        #!     ^^^^^ error[RLX0204]: function `later` of the module is written `Module.later`
        #!     fix: refer to it through the module
        A[3] = main(2)
        #!     ^^^^ error[RLX0204]: function `main` of the module is written `Module.main`
        #!     fix: refer to it through the module

    @T.prim_func
    def later(x: T.int32) -> T.int32:
        return x + 2

    @T.prim_func
    def bound(A: T.Buffer((16,), "int32")):
        for first in range(16):
            A[first] = first
