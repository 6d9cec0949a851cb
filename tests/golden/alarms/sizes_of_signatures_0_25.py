# rlx-golden: check
# A plain assignment that gives a number to a symbolic variable of the signature says what the variable is; what Python alone asks of a tensor's
# rank never becomes part of the program.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def given(x: R.Tensor(("n",), "float32")):
    n = 4
    return x


@R.function
def given_in_a_list(x: R.Tensor(("n", "m"), "float32")):
    n = (4,)
    m = T.int64(3)
    return x


@R.function
def given_in_a_tuple(x: R.Tensor(("n", "m"), "float32")):
    n, m = 3, 4
    return x


@R.function
def asked(x: R.Tensor(("n", "m"), "float32")):
    name = str(x.ndim)
    text = f"{x.ndim}"
    return x
