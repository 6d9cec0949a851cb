# rlx-golden: check
# Rule 4: a variable made in Python around a module is one variable for all its functions; outside of modules each function is alone.
from tvm import tir
from tvm.script import ir as I, relax as R, tirx as T

n = tir.Var("n", "int64")
m = tir.Var("m", "int64")


@I.ir_module
class Shared:
    @R.function
    def f(x: R.Tensor((n, 2), "float32")) -> R.Tensor((n, 2), "float32"):
        return x

    @R.function
    def g(x: R.Tensor((n, m), "float32")):
    #!                 ^ error[RLX0218]: symbolic variable `n` belongs to `f` already
    #!     line 13: used here, too
    #!     fix: write "n": a variable of its own
        return x

    @R.function
    def h(x: R.Tensor((2, "m"), "float32")):
        return x


@I.ir_module
class Alone:
    @R.function
    def f(x: R.Tensor((n, 2), "float32")):
        return x


@R.function
def outside(x: R.Tensor((n, 2), "float32")):
    return x


@I.ir_module(check_well_formed=False)
class Unchecked:
    @R.function
    def f(x: R.Tensor((n, 2), "float32")):
        return x

    @R.function
    def g(x: R.Tensor((n, 2), "float32")):
        return x
