# One of each common mistake, each in its own function, with what is wrong and how to mend it.
#
#   rlx check examples/mistakes.py          every mistake, at its place, with a fix where there is one
#   rlx explain CODE                        the page of a diagnostic
#
# Each function has exactly one mistake: one cause gives one diagnostic.
from tvm.script import relax as R
from tvm.script import tir as T


@R.function
def matmul_dimension(
    x: R.Tensor(("n", 4), "float32"), w: R.Tensor((5, 3), "float32")
) -> R.Tensor(("n", 3), "float32"):
    # The inner dimensions are 4 and 5.
    gv = R.matmul(x, w)
    return gv


@R.function
def undefined_name(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    # The parameter is called x.
    gv = R.exp(y)
    return gv


@R.function
def misspelt_operator(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    # R.nn.relu
    gv = R.nn.rleu(x)
    return gv


@R.function
def wrong_keyword(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2,), "float32"):
    # R.sum calls it `axis`.
    gv = R.sum(x, axes=[1])
    return gv


@R.function
def axis_out_of_range(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2,), "float32"):
    # x has axes 0 and 1.
    gv = R.sum(x, axis=[2])
    return gv


@R.function
def axis_repeated(x: R.Tensor((2, 3), "float32")) -> R.Tensor(dtype="float32", ndim=2):
    # A permutation names every axis once.
    gv = R.permute_dims(x, axes=[0, 0])
    return gv


@R.function
def broadcast(
    x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 4), "float32")
) -> R.Tensor(dtype="float32", ndim=2):
    # 3 and 4 are different, and neither is 1.
    gv = R.add(x, y)
    return gv


@R.function
def different_dtypes(
    x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float16")
) -> R.Tensor((2, 3), "float32"):
    # Nothing is converted silently: R.astype(y, "float32") first.
    gv = R.multiply(x, y)
    return gv


@R.function
def element_count(x: R.Tensor((2, 6), "float32")) -> R.Tensor((5, 2), "float32"):
    # 12 elements do not fit into 5 x 2.
    gv = R.reshape(x, R.shape([5, 2]))
    return gv


@R.function
def tuple_index(
    p: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")),
) -> R.Object:
    # The tuple has fields 0 and 1.
    gv = p[2]
    return gv


@R.function
def dataflow_leak(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    # lv is inside the dataflow block only: R.output(lv, gv), or return gv.
    with R.dataflow():
        lv = R.exp(x)
        gv = R.negative(lv)
        R.output(gv)
    return lv


@R.function
def missing_output(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    # A dataflow block ends with R.output(gv).
    with R.dataflow():
        lv = R.exp(x)
        gv = R.negative(lv)
    return gv


@R.function
def wrong_annotation(x: R.Tensor((2, 3), "float32")) -> R.Tensor(dtype="float32", ndim=2):
    # permute_dims gives (3, 2).
    gv: R.Tensor((2, 3), "float32") = R.permute_dims(x)
    return gv


@R.function
def wrong_return(x: R.Tensor(("n", 3), "float32")) -> R.Tensor(("n + 1", 3), "float32"):
    # The result has n rows, which is n + 1 for no n. (TVM 0.25 accepts this and fails at run time.)
    gv = R.exp(x)
    return gv


@R.function
def missing_return(x: R.Tensor((2, 3), "float32")):
    # A Relax function ends with a return.
    gv = R.exp(x)


@R.function
def impure_call(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    # Printing is a side effect: @R.function(pure=False).
    _ = R.print(x, format="{}")
    return x


@R.function
def unbound_symbol(x: R.Tensor(("n * 2",), "float32")) -> R.Tensor(("n * 2",), "float32"):
    # No parameter has n as a dimension of its own, so nothing binds it.
    gv = R.exp(x)
    return gv


@R.function
def impossible_cast(x: R.Tensor((2, 3), "float32")) -> R.Tensor(dtype="float32", ndim=1):
    # x has two dimensions: no value can have one.
    m = T.int64()
    gv = R.match_cast(x, R.Tensor((m,), "float32"))
    return gv
