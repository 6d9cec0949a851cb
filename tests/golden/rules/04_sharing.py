# rlx-golden: check
# Rule 4: no variable is a parameter of two functions; no symbolic variable is shared by two functions. In a script every
# function makes its own; a local function sees those around it.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Right:
    @R.function
    def f(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        y = R.abs(x)
        return y

    @R.function
    def g(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("m", "n"), "float32"):
        y = R.permute_dims(x)
        return y


@R.function
def local_shares(x: R.Tensor(("n",), "float32")):
    n = T.int64()

    @R.function
    def inner(a: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
        b = R.abs(a)
        return b

    y = inner(x)
    return y


@R.function
def local_has_its_own(x: R.Tensor(("n",), "float32")):
    @R.function
    def inner(a: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        b = R.abs(a)
        return b

    y = inner(x)
    return y


@R.function
def local_binds_again(x: R.Tensor(("n",), "float32")):
    @R.function
    def inner(a: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        b = R.abs(a)
        return b

    y = inner(x)
    return y


@R.function
def local_hides(x: R.Tensor((2,), "float32")):
    @R.function
    def inner(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        b = R.abs(x)
        return b

    y = inner(x)
    return y
