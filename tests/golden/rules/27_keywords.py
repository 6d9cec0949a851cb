# rlx-golden: check
# Functions take their arguments by place; what only a statement may be; the outputs of a block under a name.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def g(a: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        return a

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        cls = Module
        y = cls.g(x, alpha=3)
        #!           ^^^^^ error[RLX0424]: g has no parameter `alpha`
        z = cls.g(y, attrs=None)
        return z


@R.function
def values(x: R.Tensor((2, 3), "float32"), f: R.Callable((R.Tensor((2, 3), "float32"),), R.Tensor((2, 3), "float32"))):
    y = f(x, attrs=None)
    z = f(y, sinfo_args=(R.Tensor((2, 3), "float32"),))
    #!       ^^^^^^^^^^ error[RLX0424]: f has no parameter `sinfo_args`
    return z


@R.function
def by_place(x: R.Tensor((2, 3), "float32")):
    y = R.call_py_func("f", (x,), R.Tensor((2, 3), "float32"))
    #!    ^^^^^^^^^^^^ error[RLX0423]: R.call_py_func: argument `out_sinfo` is missing
    return y


@R.function
def no_with(x: R.Tensor((2, 3), "float32")):
    R.dataflow()
#!  ^^^^^^^^^^^^ error[RLX0429]: `R.dataflow()` without `with` can't be used in a Relax function
    return x


@R.function
def named_output(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.abs(x)
        z = R.output(y)
    return y
