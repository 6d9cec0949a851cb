from tvm.script import ir as I, relax as R, tir as T


@R.function
def top(x: R.Tensor(("n",), "float32")):
    return mid(x)


@R.function(pure=True)
def even(n: R.Prim("int64")) -> R.Tensor((), "bool"):
    return odd(n)


@R.function
def odd(n: R.Prim("int64")) -> R.Tensor((), "bool"):
    return R.const(True)
