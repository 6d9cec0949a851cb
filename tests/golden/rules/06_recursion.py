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


# A local function that calls itself is declared as a pure one before it is read.
@R.function(pure=False)
def impure_recursion(x: R.Tensor((2,), "float32")):
    @R.function(pure=False)
    def loop(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        _ = R.print(a, format="{}")
        b = loop(a)
        #!  ^^^^ error[RLX0457]: `loop` calls itself and is declared `pure=False`: a local function that calls itself is taken for a pure one
        #!     line 116: defined here
        return b

    y = loop(x)
    return y


# It knows itself where a statement's value is a call of it, and where its name meant nothing before.
@R.function
def named_as_argument(x: R.Tensor((2,), "float32")):
    @R.function
    def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        b = R.call_pure_packed("f", inner, sinfo_args=R.Tensor((2,), "float32"))
        #!                          ^^^^^ error[RLX0201]: `inner` is not defined
        #!     fix: change to `a`
        return b

    @R.function
    def nested(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        b = R.abs(nested(a))
        #!        ^^^^^^ error[RLX0201]: `nested` is not defined
        return b

    y = R.abs(x)
    return y


@R.function
def name_taken(x: R.Tensor((2,), "float32")):
    loop = R.abs(x)

    @R.function
    def loop(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        b = loop(a)
        #!  ^^^^ error[RLX0428]: R.Tensor((2,), dtype="float32") can't be called
        return b

    y = loop(x)
    return y
