# rlx-golden: check
# What the file says elsewhere decides for islands that could be 0.25's or 0.27's: scalars are integers and numbers
# among tensors. Python's own TypeVar says nothing, and one element of an integer dtype decides a branch.
from typing import TypeVar, Union

from tvm.script import relax as R

Either = TypeVar("Either", bound=Union[int, float])


@R.function
def stated(x: R.Tensor((4,), "float32")) -> R.Any:
    y = R.call_pure_packed("f", x, ty_args=R.Tensor((4,), "float32"))
    return y


@R.function
def numbers(n: R.Prim("int64"), scale: R.Prim("float32"), x: R.Tensor((4,), "float32")):
    more = n + 1
    alias = R.prim_value(more)
    y = x * scale
    z = scale + y
    return (z, alias)


@R.function
def decides(c: R.Tensor((1,), "int32"), x: R.Tensor((4,), "float32")):
    if c:
    #! ^ warning[RLX0434]: the condition is R.Tensor((1,), dtype="int32"), expected a scalar bool tensor or `R.Prim("bool")`
        y = R.add(x, x)
    else:
        y = R.abs(x)
    return y
