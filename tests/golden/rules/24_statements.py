# rlx-golden: check
# Statements that are no bindings of Relax, and names of symbolic variables; behind each what is right.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def other_name(x: R.Tensor(("rows", 4), "float32")):
    rows = T.Var("n", "int64")
#!  ^^^^ error[RLX0209]: symbolic variable `n` can't be bound to the name `rows`
    return x


@R.function
def own_name(x: R.Tensor(("rows", 4), "float32")):
    rows = T.Var("rows", "int64")
    y = R.zeros((rows,), "float32")
    return y


@R.function
def taken_by_a_parameter(x: R.Tensor(("n",), "float32"), w: R.Tensor((2,), "float32")):
    w = T.int64()
#!  ^ error[RLX0210]: `w` is a Relax variable already, it can't become a symbolic variable of dtype int64
    return x


@R.function
def other_dtype(x: R.Tensor(("n",), "float32")):
    n = T.int32()
#!  ^ error[RLX0210]: `n` is a symbolic variable of dtype int64 already, it can't become a symbolic variable of dtype int32
    return x


@R.function
def a_new_variable(x: R.Tensor(("n",), "float32"), w: R.Tensor((2,), "float32")):
    n = T.int64()
    k = T.int64()
    y = R.match_cast(x, R.Tensor((k,), "float32"))
    z = R.zeros((n, k), "float32")
    return z


@R.function
def unpacks_a_call(x: R.Tensor((6,), "float32")):
    a, b, c = R.split(x, 3)
#!  ^^^^^^^ error[RLX0360]: the result of a call can't be unpacked at once: bind it to a variable first
    #!     fix: bind the call to a variable first
    #!        ^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    return b


@R.function
def unpacks_a_variable(x: R.Tensor((6,), "float32")):
    t = R.split(x, 3)
    a, b, c = t
    return b


@R.function
def string_in_the_body(x: R.Tensor(("n", 4), "float32")):
    y: R.Tensor(("n", 4), "float32") = R.exp(x)
    #!           ^^^ error[RLX0365]: "n" as a dimension can stand in signatures only: write the variable without quotes
    #!     fix: write it without quotes
    return y


@R.function
def variable_in_the_body(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
    y: R.Tensor((n, 4), "float32") = R.exp(x)
    return y


@R.function
def text_as_constant(x: R.Tensor((2,), "float32")):
    c = R.const("nan", "float32")
    #!          ^^^^^ error[RLX0443]: the string "nan" can't be a constant tensor
    #!     fix: convert the string to a number
    return c


@R.function
def number_as_constant(x: R.Tensor((2,), "float32")):
    c = R.const(float("nan"), "float32")
    return c


@R.function
def element_assigned(x: R.Tensor((2,), "float32")):
    x[0] = R.const(1.0)
#!  ^^^^ error[RLX0444]: this expression can't be assigned to in a Relax function
    return x


@R.function
def chained(x: R.Tensor((2,), "float32")):
    a = b = R.exp(x)
#!  ^^^^^ error[RLX0444]: a chain of targets can't be assigned to in a Relax function
    return a


@R.function
def assigned(x: R.Tensor((2,), "float32")):
    a = R.exp(x)
    b = a
    return b


@R.function
def other_with(x: R.Tensor((2,), "float32")):
    with x:
#!  ^^^^^^^ error[RLX0445]: only `with R.dataflow():` can be used here
        y = R.exp(x)
    return x


@R.function
def dataflow(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        R.output(y)
    return y


@R.function
def compares_objects(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
    z = x != y
    #!  ^^^^^^ warning[RLX0449]: `!=` looks at the Python objects here: the result is the constant True; write `R.not_equal(…)` to compare the elements
    #!     fix: write `R.not_equal(…)`
    return z


@R.function
def compares_elements(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
    z = R.not_equal(x, y)
    w = x < y
    return (z, w)
