# 0.27: a TypeVar that the result alone names is given its value by a match_cast of the body.
from typing import TypeVar

from tvm.script import relax as R, tirx as T

n = TypeVar("n")
k = TypeVar("k")


@R.function
def cast(x: R.Tensor((n,), "float32")) -> R.Tensor((k, 2), "float32"):
    k = T.int64()
    with R.dataflow():
        y = R.call_dps_packed("f", (x,), R.Tensor((4, 2), "float32"))
        #! y: R.Tensor((4, 2), dtype="float32")
        z = R.match_cast(y, R.Tensor((k, 2), "float32"))
        #! z: R.Tensor((k, 2), dtype="float32")   (deduced R.Tensor((4, 2), dtype="float32"))
        R.output(z)
    return z


@R.function
def not_cast(x: R.Tensor((n,), "float32")) -> R.Tensor((k,), "float32"):
#!                                            ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `k` has no value: no parameter and no match_cast above has it as a dimension by itself
    y = R.match_cast(x, R.Tensor((4,), "float32"))
    #! y: R.Tensor((4,), dtype="float32")   (deduced R.Tensor((n,), dtype="float32"))
    return y


@R.function
def of_text(x: R.Tensor((n,), "float32")) -> R.Tensor(("k",), "float32"):
#!                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `k` has no value: no parameter and no match_cast above has it as a dimension by itself
    k = T.int64()
    y = R.match_cast(x, R.Tensor((k,), "float32"))
    #! y: R.Tensor((k,), dtype="float32")   (deduced R.Tensor((n,), dtype="float32"))
    return y
