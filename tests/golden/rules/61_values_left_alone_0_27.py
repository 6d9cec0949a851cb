# rlx-golden: check
# What 0.27 makes expressions of by itself.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def fields(x: R.Tensor((4,), "float32"), s: R.Tensor(("n",), "float32")) -> R.Any:
    n = T.int64()
    a = R.tuple(x, n, n < 2, T.float32(1), "a", 3)
    b = R.tuple((x, n))
    #!          ^^^^^^ error[RLX0446]: R.tuple: `fields` is a tuple, expected a Relax expression
    return a


@R.function(pure=False)
def scalars(x: R.Tensor("float32"), y: R.Tensor("int64", ndim=1), c: R.Object, b: R.Tensor((), "bool"), s: R.Tensor(("n",), "float32")) -> R.Any:
    n = T.int64()
    a = R.dynamic_strided_slice(x, 0, y, n)
    d = R.invoke_closure(c, n, ty_args=R.Any)
    e = R.assert_op(b, format_args=n + 1)
    f = R.unique(s, return_counts=T.bool(True))
    return a
