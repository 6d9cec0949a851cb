# Decorators as Python evaluates them.
import tvm
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module + 1
#! 1-16 error[RLX0421]: `+` can't be applied to `I.ir_module` and the Python int 1
class Operator:
    @R.function
    def f(x: R.Tensor((2, 3), "float32")):
        return x


@(tvm,).script.ir_module
#!      ^^^^^^ error[RLX0203]: `(tvm,).script` does not exist
class Attribute:
    @R.function
    def f(x: R.Tensor((2, 3), "float32")):
        return x


@unknown
#! 1-8 error[RLX0201]: `unknown` is not defined
#!     line 44: here, too
class Unknown:
    @R.function
    def f(x: R.Tensor((2, 3), "float32")):
        return x


@I.ir_module
#! 1-12 error[RLX0454]: `@I.ir_module` is given what `@I.ir_module` below made, and decorates no such thing
@I.ir_module
class Twice:
    @R.function
    def f(x: R.Tensor((2, 3), "float32")):
        return x


@R.rewriter
#! 1-11 error[RLX0454]: a rewriter has a function `replacement`
class Rewriter:
    @R.function
    def pattern(x: R.Tensor((2, 3), "float32")):
        return x


@I.ir_module
class Functions:
    @unknown
    def f(x: R.Tensor((2, 3), "float32")):
        return x


@R.function
#! 1-11 error[RLX0454]: `@R.function` is given what `@R.function` below made, and decorates no such thing
@R.function
def twice(x: R.Tensor((2, 3), "float32")):
    return x


@-R.function
#! 1-12 error[RLX0421]: `-` can't be applied to `R.function`
def operator(x: R.Tensor((2, 3), "float32")):
    return x


@tvm.script.function
#!          ^^^^^^^^ error[RLX0203]: `tvm.script.function` does not exist
def attribute(x: R.Tensor((2, 3), "float32")):
    return x


def helper(x: R.Tensor((2, 3), "float32")):
    return R.print(x)
    #! gv: R.Tuple


@R.function
def right(x: R.Tensor((2, 3), "float32")):
    return x
