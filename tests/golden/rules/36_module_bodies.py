# What stands in a module's class, and what decorates functions.
import functools
from tvm.relax import BasePyModule
from tvm.script import ir as I, tirx as T

WIDTH = 8


@I.ir_module
class Statements:
    T.func_attr({"width": 8})
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: calls of T stand in the bodies of PrimFuncs
    width = 8
#!  ^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    size: T.int32 = 8
#!  ^^^^^^^^^^^^^^^^^ error[RLX0455]: TVM's parser takes no such statement in a module's class
    a, b = 1, 2
#!  ^^^^^^^^^^^ error[RLX0455]: an assignment in a module's class is to one name
    if WIDTH > 4:
#!  ^^^^^^^^^^^^^ error[RLX0455]: TVM's parser takes no such statement in a module's class
        pass
    for _ in range(2):
#!  ^^^^^^^^^^^^^^^^^^ error[RLX0455]: TVM's parser takes no such statement in a module's class
        pass

    @classmethod
#!   ^^^^^^^^^^^ error[RLX0454]: a function of a module has a decorator that TVM's parser reads: `@R.function` or `@T.prim_func`
    def helper(cls, n: T.int32):
        T.evaluate(n)

    def bare(self):
    #!  ^^^^ error[RLX0454]: a function of a module has a decorator that TVM's parser reads: `@R.function` or `@T.prim_func`
        return 1

    @I.pyfunc
#!   ^^^^^^^^ error[RLX0454]: a Python function stands in a module that derives from BasePyModule
    def python(x):
        return x

    @T.macro
#!   ^^^^^^^ error[RLX0454]: a macro stands outside of the module's class
    def shared(x):
        T.evaluate(x)

    @T.prim_func
    def f(n: T.int32):
        T.evaluate(n)


@I.ir_module
class Right(BasePyModule):
    """A docstring."""

    I.module_attrs({"width": WIDTH})

    @I.pyfunc
    def python(x):
        return x

    @T.prim_func
    def f(n: T.int32):
        T.evaluate(n)


@primfunc
#! 1-9 error[RLX0201]: `primfunc` is not defined
def unbound(n: T.int32):
    T.evaluate(n)


@[T.prim_func, T.macro]
#! 1-23 error[RLX0454]: this decorates no function
def listed(n: T.int32):
    T.evaluate(n)


@(-T.prim_func(private=True))
#!^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0454]: this decorates no function
def negated(n: T.int32):
    T.evaluate(n)


@T.serial(4).prim_func
#! 1-22 error[RLX0454]: this decorates no function
def of_a_loop(n: T.int32):
    T.evaluate(n)


def traced(f):
    return f


@traced
def plain(n: T.int32):
    return n


@functools.lru_cache
def cached(n: T.int32):
    return n


@T.prim_func
def names(n: Tx.int32, m: names.int32):
#!           ^^ error[RLX0201]: `Tx` is not defined
#!                        ^^^^^ error[RLX0201]: `names` is not defined
    T.evaluate(Tx.max(n, 1))
    T.evaluate(R)
    #!         ^ error[RLX0201]: `R` is not defined


for i, j in T.grid(4, WIDTH):
#!          ^^^^^^^^^^^^^^^^ error[RLX0455]: T.grid stands in the body of a PrimFunc
    T.evaluate(i)
for i in range(T.int32(4)):
#!       ^^^^^^^^^^^^^^^^^ error[RLX0455]: outside of a PrimFunc `range` takes numbers of Python only
    pass
for i in range(WIDTH):
    pass
extents = T.grid(4, 4)


@I.ir_module
class MacrosBesideFunctions:
    @T.macro
#!   ^^^^^^^ error[RLX0454]: a macro stands outside of the module's class
    def nothing():
        pass

    @T.inline
#!   ^^^^^^^^ error[RLX0454]: a macro stands outside of the module's class
    def evaluates():
        T.evaluate(0)

    @T.prim_func
    def f(n: T.int32):
        T.evaluate(n)
