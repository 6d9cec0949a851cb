# Slips in the first line of a definition: it is read as what was meant, so that what stands below keeps its meaning, and one mistake is told.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tir as T


@R.function
de named(x: R.Tensor(("n", 4), "float32")):
#! 0-2 error[RLX0101]: `def` is expected here
#!     fix: write the `def`
    y = R.exp(x)
    return y


@R.function
named(x: R.Tensor(("n", 4), "float32")):
#! 0-5 error[RLX0101]: `def` is missing before this
#!     fix: write the `def`
    y = R.exp(x)
    return y


@R.function
def (x: R.Tensor(("n", 4), "float32")):
#!  ^ error[RLX0101]: a name is missing before this
    y = R.exp(x)
    return y


@R.function
def opening(x: R.Tensor((n", 4), "float32")):
#!                       ^ error[RLX0101]: a quote is missing before this
#!     fix: write the `"`
    y = R.exp(x)
    return y


@R.function
def closing(x: R.Tensor(("n, 4), "float32")):
#!                       ^^ error[RLX0101]: a quote is missing behind this
#!     fix: write the `"`
    y = R.exp(x)
    return y


@R.function
def last(x: R.Tensor(("n", 4), "float32)) -> R.Tensor(("n", 4), "float32"):
#!                             ^^^^^^^^ error[RLX0101]: a quote is missing behind this
#!     fix: write the `"`
    y = R.exp(x)
    return y


@R.function
def very_last(x: R.Tensor(("n", 4), "float32)):
#!                                  ^^^^^^^^ error[RLX0101]: a quote is missing behind this
#!     fix: write the `"`
    y = R.exp(x)
    return y


@I.ir_module
clas M:
#! 0-4 error[RLX0101]: `class` is expected here
#!     fix: write the `class`
    @R.function
    def f(x: R.Tensor(("n", 4), "float32")):
        y = R.exp(x)
        return y

@I.ir_module
M2:
#! 0-2 error[RLX0101]: `class` is missing before this
#!     fix: write the `class`
    @R.function
    def f(x: R.Tensor(("n", 4), "float32")):
        y = R.exp(x)
        return y

@R.function
#! 0-11 error[RLX0101]: a decorator stands before `def` or `class`
if x:
    pass


# In a line of a body, too.
@R.function
def body(x: R.Tensor(("n", 4), "float32")):
    a = R.astype(x, float16")
    #!              ^^^^^^^ error[RLX0101]: a quote is missing before this
    #!     fix: write the `"`
    b = R.astype(x, "float16)
    c = R.astype(x, dtype='float16)
    return R.add(b, c)


# A letter behind a quote is what it is for Python, a number before one is no word.
@R.function
def other(x: R.Tensor((4"n"), "float32")):
#!                     ^ error[RLX0101]: invalid syntax
    return x
