# Scopes of the builder of the IR besides R.dataflow: what is bound in one is not seen behind it, and branches stand in R.If.
from tvm.script import relax as R, tirx as T


@R.function
def lost(x: R.Tensor((2, 3), "float32")):
    with R.SeqExpr():
        inner = R.abs(x)
        #! inner: R.Tensor((2, 3), dtype="float32")
        outer = R.negative(inner)
        #! outer: R.Tensor((2, 3), dtype="float32")
    return outer
    #!     ^^^^^ error[RLX0201]: `outer` is not defined
    #!     line 9: it is bound here, in a branch that ends before its use


@R.function
def returned(x: R.Tensor((2, 3), "float32")):
    with R.SeqExpr():
        y = R.abs(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        return x


@R.function
def named(x: R.Tensor((2, 3), "float32")):
    with R.SeqExpr() as s:
#!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0445]: only `with R.dataflow():` can be used here
        y = R.abs(x)
        #! y: R.Tensor((2, 3), dtype="float32")
    return x


@R.function
def branches(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    with R.If(c):
        with R.Then():
            y = R.abs(x)
            #! y: R.Tensor((2, 3), dtype="float32")
        with R.Else():
            y = R.negative(x)
            #! y: R.Tensor((2, 3), dtype="float32")
    return x


@R.function
def half(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    with R.If(c):
#!  ^^^^^^^^^^^^^ error[RLX0445]: only `with R.dataflow():` can be used here
        with R.Then():
            y = R.abs(x)
            #! y: R.Tensor((2, 3), dtype="float32")
    return x


@R.function
def alone(x: R.Tensor((2, 3), "float32")):
    with R.Else():
#!  ^^^^^^^^^^^^^^ error[RLX0445]: only `with R.dataflow():` can be used here
        y = R.abs(x)
        #! y: R.Tensor((2, 3), dtype="float32")
    return x


@R.function
def value(c: R.Tensor((), "bool")):
    y = R.If(c)
    return y
    #!     ^ error[RLX0442]: `R.If(…)` is not a Relax value


@R.function
def statement(x: R.Tensor((2, 3), "float32")):
    R.Then()
#!  ^^^^^^^^ error[RLX0429]: `R.Then()` without `with` can't be used in a Relax function
    return x
