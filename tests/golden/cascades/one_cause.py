# One mistake that shows at several places, or hides what follows from it.
# rlx-golden: check
# rlx-golden: unused
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Calls:
    @T.prim_func
    def copy(a: T.Buffer((5,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("copy"):
                vi = T.axis.spatial(4, i)
                b[vi] = a[vi]

    @R.function
    def twice(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        a = R.call_tir(Calls.copy, (x,), R.Tensor((4,), "float32"))
        #!                          ^ error[RLX0440]: input 0 of `copy` is R.Tensor((4,), dtype="float32"), expected R.Tensor((5,), dtype="float32"): dimension 0 is 4, expected 5
        #!     line 10: this parameter of the PrimFunc
        #!     fix: declare dimension 0 of `x` as 5
        b = R.call_tir(Calls.copy, (a,), R.Tensor((4,), "float32"))
        return b

    @R.function
    def callee(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.add(x, y)
        #!              ^ error[RLX0201]: `y` is not defined
        #!     line 28: this call does not fit, either

    @R.function
    def caller(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return Calls.callee(x, x)

    @R.function
    def missing(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.add(Calls.nowhere(x), Calls.nowhere(x))
        #!                 ^^^^^^^ error[RLX0205]: module `Calls` has no function `nowhere`
        #!     line 32: here, too


# The first call's error is hidden: the second is the one that is left.
@I.ir_module
class Suppressed:
    @R.function
    def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((5,), "float32")):
        a = Suppressed.f(x)  # rlx: ignore[RLX0427]
        b = Suppressed.f(x)
        #!               ^ error[RLX0427]: argument 0 of `f` is R.Tensor((5,), dtype="float32"), expected R.Tensor((4,), dtype="float32"): dimension 0 is 5, expected 4
        #!     line 39: declared here
        #!     line 46: here, too
        c = Suppressed.f(x)
        return (a, b, c)


@R.function
def operand(x: R.Tensor((2, 3), "float32"), y: R.Tensor((4, 5), "float32"), z: R.Tensor((4, 5), "float32")):
    a = R.matmul(x, y)
    #!  ^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 3 in (2, 3), 4 in (4, 5)
    #!     line 51: `x` is R.Tensor((2, 3), dtype="float32")
    #!     line 51: `y` is R.Tensor((4, 5), dtype="float32")
    #!     line 53: here, too
    #!     fix: declare dimension 0 of `y` as 3
    b = R.matmul(x, z)  # the same operand, one mistake
    c = R.matmul(R.ones((2, 3), "float32"), R.ones((4, 5), "float32"))  # another one
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 3 in (2, 3), 4 in (4, 5)
    #!           ^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                      ^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    return (a, b, c)


@R.function
def output(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a = R.abs(x)
        R.outptu(a)
#!        ^^^^^^ error[RLX0203]: `R.outptu` does not exist; did you mean `R.output`?
        #!     fix: change to `R.output`
    return a


@R.function
def lost_return(x: R.Tensor((4,), "float32")):
#!  ^^^^^^^^^^^ error[RLX0430]: function `lost_return` returns nothing
#!     fix: return `a`
    with R.dataflow():
        a = R.abs(x)
        R.output(a)


# A module by another name, in two functions.
@I.ir_module
class Renamed:
    @T.prim_func
    def copy(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("copy"):
                vi = T.axis.spatial(4, i)
                b[vi] = a[vi]

    @R.function
    def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.call_tir(Renamd.copy, (x,), R.Tensor((4,), "float32"))
        #!                ^^^^^^ error[RLX0201]: `Renamd` is not defined; did you mean `Renamed`?
        #!     line 89: here, too
        #!     fix: change to `Renamed`

    @R.function
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.call_tir(Renamd.copy, (x,), R.Tensor((4,), "float32"))


# The parameter of `wrapper` is wrong for its caller and for what it calls: its body says so.
@I.ir_module
class Wrapped:
    @R.function
    def inner(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def wrapper(x: R.Tensor((5,), "float32")) -> R.Tensor((4,), "float32"):
        return Wrapped.inner(x)
        #!                   ^ error[RLX0427]: argument 0 of `inner` is R.Tensor((5,), dtype="float32"), expected R.Tensor((4,), dtype="float32"): dimension 0 is 5, expected 4
        #!     line 96: declared here
        #!     line 105: this call does not fit, either
        #!     fix: declare dimension 0 of `x` as 4

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return Wrapped.wrapper(x)


# Each use is looked at: hiding the first leaves the second, with the third.
@R.function
def used_again(x: R.Tensor((4,), "float32")):
    a = R.add(x, missing)  # rlx: ignore[RLX0201]
    b = R.add(x, missing)
    #!           ^^^^^^^ error[RLX0201]: `missing` is not defined
    #!     line 113: here, too
    c = R.add(x, missing)
    return (a, b, c)
