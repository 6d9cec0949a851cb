# Names that Python knows and TVM's parser does not get: of functions around, those that no body reads; of classes around, all; of
# anything around a module's class without functions.
from tvm.script import ir as I, relax as R, tirx as T


def signature_alone(n, dtype):
    @R.function
    def main(x: R.Tensor((n, 2), dtype)) -> R.Tensor((n, 2), dtype):
    #!                    ^ error[RLX0201]: `n` is not defined: of the Python code around, TVM's parser sees the variables that a function's body reads, not those that stand in a signature, a decorator or a class alone
    #!     fix: say `nonlocal` in the body
    #!                           ^^^^^ error[RLX0201]: `dtype` is not defined: of the Python code around, TVM's parser sees the variables that a function's body reads, not those that stand in a signature, a decorator or a class alone
    #!     fix: say `nonlocal` in the body
        return x


def body_reads(n, dtype):
    @R.function
    def main(x: R.Tensor((n, 2), dtype)) -> R.Tensor((n, 2), dtype):
    #!                    ^ hint[RLX0202]: the value of `n` is known to Python only: it may be anything here
    #!                           ^^^^^ hint[RLX0202]: the value of `dtype` is known to Python only: it may be anything here
    #!                                                ^ hint[RLX0202]: the value of `n` is known to Python only: it may be anything here
    #!                                                       ^^^^^ hint[RLX0202]: the value of `dtype` is known to Python only: it may be anything here
        nonlocal dtype
        y = R.reshape(x, (n, 2))
        #!                ^ hint[RLX0202]: the value of `n` is known to Python only: it may be anything here
        #! y: R.Tensor(({n}, 2))
        return y


def own_variable(n):
    @R.function
    def main(x: R.Tensor((n, 2), "float32")):
    #!                    ^ error[RLX0201]: `n` is not defined: of the Python code around, TVM's parser sees the variables that a function's body reads, not those that stand in a signature, a decorator or a class alone
        n = R.add(x, x)
        #! n: R.Tensor(({n}, 2), dtype="float32")
        return n


def sibling_reads(n, m):
    @I.ir_module
    class Module:
        I.module_attrs({"n": n, "m": m})
        #!                           ^ error[RLX0201]: `m` is not defined: of the Python code around, TVM's parser sees the variables that a function's body reads, not those that stand in a signature, a decorator or a class alone
        #!     fix: say `nonlocal` in the body

        @R.function
        def f(x: R.Tensor((n,), "float32")):
        #!                 ^ hint[RLX0202]: the value of `n` is known to Python only: it may be anything here
            return x

        @T.prim_func(s_tir=True)
        def g(A: T.Buffer((m,), "float32")):
            T.evaluate(n)


def decorators():
    from tvm.script import tirx as script

    @script.prim_func(s_tir=True)
#!   ^^^^^^ error[RLX0201]: `script` is not defined: of the Python code around, TVM's parser sees the variables that a function's body reads, not those that stand in a signature, a decorator or a class alone
    #!     fix: say `nonlocal` in the body
    def prim(A: T.Buffer((2,), "float32")):
        T.evaluate(0)


def made_global():
    global WIDTH
    WIDTH = 4

    @R.function
    def main(x: R.Tensor((WIDTH,), "float32")):
        return x


class Test:
    width = 4

    @R.function
    def signature(x: R.Tensor((width,), "float32")):
    #!                         ^^^^^ error[RLX0201]: `width` is not defined: of the Python code around, TVM's parser sees the variables that a function's body reads, not those that stand in a signature, a decorator or a class alone
        return x

    @R.function
    def body(x: R.Tensor((4,), "float32")):
        y = R.reshape(x, (width,))
        #!                ^^^^^ error[RLX0201]: `width` is not defined
        #! y: R.Tensor(dtype="float32", ndim=1)
        return y


@I.ir_module
class NoFunction:
    I.module_attrs({"n": 1})
#!  ^ error[RLX0201]: `I` is not defined: TVM's parser knows the names around a class by the functions in it, and it has none
    I.module_global_infos({})


@I.ir_module
class NothingRead:
    """A class without names, or with Python's alone."""

    len([1])
    pass


def passed_over(n):
    @T.prim_func(s_tir=True)
    def prim(A: T.Buffer((4,), "float32")):
        nonlocal n
        for i in range(n):
            with T.sblock("A"):
                vi = T.axis.spatial(4, i)
                A[vi] = T.float32(0)

    @T.prim_func(s_tir=True)
    def other(A: T.Buffer((4,), "float32")):
        global WIDTH
#!      ^^^^^^^^^^^^ error[RLX0614]: a PrimFunc has no such statement
        T.evaluate(0)
