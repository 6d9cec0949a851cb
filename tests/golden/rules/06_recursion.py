# rlx-golden: check
# Rule 6: a local function calls itself only through a global or its own variable and states what it returns; never inside
# a dataflow block.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def without_annotation(x: R.Tensor((2,), "float32")):
    @R.function
    def loop(a: R.Tensor((2,), "float32")):
        b = loop(a)
        #!  ^^^^ error[RLX0451]: `loop` calls itself, so it must state what it returns
        #!     line 10: defined here
        #!     fix: return `R.Object`
        return b

    y = loop(x)
    return y


@R.function
def in_dataflow(x: R.Tensor((2,), "float32")):
    with R.dataflow():

        @R.function
        def loop(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            b = loop(a)
            #!  ^^^^ error[RLX0437]: `loop`, which calls itself, can't stand in a dataflow block
            #!     line 23: defined here
            return b

        gv = loop(x)
        R.output(gv)
    return gv


@R.function
def local_in_dataflow(x: R.Tensor((2,), "float32")):
    with R.dataflow():

        @R.function
        def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            b = R.abs(a)
            return b

        gv = inner(x)
        R.output(gv)
    return gv


@I.ir_module
class Mutual:
    @R.function
    def even(x: R.Tensor((2,), "float32")):
        cls = Mutual
        y = cls.odd(x)
        return y

    @R.function
    def odd(x: R.Tensor((2,), "float32")):
        cls = Mutual
        y = cls.even(x)
        return y


@I.ir_module
class OfItself:
    @R.function
    def loop(x: R.Tensor((2,), "float32")):
        cls = OfItself
        y = cls.loop(x)
        return y


@I.ir_module
class InDataflow:
    @R.function
    def loop(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = InDataflow
        with R.dataflow():
            gv = cls.loop(x)
            R.output(gv)
        return gv


@R.function
def before_it_is_defined(x: R.Tensor((2,), "float32")):
    y = later(x)
    #!  ^^^^^ error[RLX0201]: `later` is not defined
    #!     line 86: it is bound here, below its use

    @R.function
    def later(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return a

    return y


@R.function
def right(x: R.Tensor((2,), "float32")):
    @R.function
    def loop(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        b = loop(a)
        return b

    y = loop(x)
    return y


@I.ir_module
class Right:
    @R.function
    def loop(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Right
        y = cls.loop(x)
        return y
