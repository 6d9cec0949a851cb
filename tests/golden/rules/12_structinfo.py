# rlx-golden: check
# Rule 12: every expression has StructInfo; parameters are annotated; ndim agrees with the shape; dtypes exist; an opaque
# function has no params.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def unannotated(x, y: R.Tensor((2,), "float32")):
#!              ^ error[RLX0355]: parameter `x` has no annotation
#!     fix: annotate it as `R.Object`
    return y


@R.function
def all_unannotated(x, y):
#!                  ^ error[RLX0355]: parameter `x` has no annotation
#!     fix: annotate it as `R.Object`
#!                     ^ error[RLX0355]: parameter `y` has no annotation
#!     fix: annotate it as `R.Object`
    return x


@R.function
def ndim(x: R.Tensor((2, 3), "float32", ndim=3)):
#!                                           ^ error[RLX0356]: ndim is 3 beside a shape, which says the rank: only one of the two can be given
#!     fix: leave the rank to the shape
    return x


@R.function
def ndim_of_a_shape(s: R.Shape([2, 3], ndim=3)):
#!                                          ^ error[RLX0356]: ndim is 3 beside a shape, which says the rank: only one of the two can be given
#!     fix: leave the rank to the shape
    return s


@R.function
def ndim_that_agrees(x: R.Tensor(("n",), "float32", ndim=1), s: R.Shape(ndim=2, values=[1, 2]), t: R.Tensor((2,), ndim=-1)):
#!                                                       ^ error[RLX0356]: ndim is 1 beside a shape, which says the rank: only one of the two can be given
#!     fix: leave the rank to the shape
#!                                                                           ^ error[RLX0356]: ndim is 2 beside a shape, which says the rank: only one of the two can be given
#!     fix: leave the rank to the shape
    return x


@R.function
def dtype(x: R.Tensor((2,), "flaot32")):
#!                          ^^^^^^^^^ error[RLX0363]: there is no dtype "flaot32"; did you mean `float32`?
#!     fix: change to `float32`
    return x


@R.function
def dtype_of_prim(x: R.Prim("int65x")):
#!                          ^^^^^^^^ error[RLX0363]: there is no dtype "int65x"; did you mean `int64`?
#!     fix: change to `int64`
    return x


@R.function
def dtype_in_body(x: R.Tensor((2,), "float32")):
    y: R.Tensor((2,), "float33x") = R.abs(x)
    #!                ^^^^^^^^^^ error[RLX0363]: there is no dtype "float33x"; did you mean `float32`?
    #!     fix: change to `float32`
    return y


@R.function
def opaque_with_params(f: R.Callable((R.Object,), R.Object, derive_func="my.derive")):
#!                                   ^^^^^^^^^^^ warning[RLX0367]: an opaque `R.Callable` has no parameters: its result is known to `my.derive` alone
    return f


@R.function
def no_annotation(x: int):
#!                   ^^^ error[RLX0352]: Python's `int` is not a StructInfo annotation
    return x


@R.function
def an_expression(x: R.abs):
#!                   ^^^^^ error[RLX0352]: an operator that is not called is not a StructInfo annotation
    return x


@R.function
def result(x: R.Tensor((2,), "float32")) -> float:
#!                                          ^^^^^ error[RLX0352]: Python's `float` is not a StructInfo annotation
    return x


@R.function
def starred(*x: R.Tensor((2,), "float32")):
#!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0456]: parameter `x` has a star: TVM leaves it out
    return x
    #!     ^ error[RLX0201]: `x` is not defined


@R.function
def default(x: R.Tensor((2,), "float32") = None):
    return x


@R.function
def device(x: R.Tensor((2,), "float32", vdevice="cuda:1")):
#!                                              ^^^^^^^^ error[RLX0364]: there is no virtual device `cuda:1`: the function stands in no module that could list it
    return x


@R.function
def odd_width(x: R.Tensor((2,), "float23")):
#!                              ^^^^^^^^^ warning[RLX0329]: R.Tensor: "float23" is a dtype that no machine has
#!     fix: change to `float32`
    return x


@R.function
def right(a: R.Tensor, b: R.Tensor(ndim=2), c: R.Tensor((2, 3), "float32"), d: R.Shape(ndim=3), e: R.Prim("int32"), f: R.Callable(derive_func="my.derive"), g: R.Callable((R.Object,), R.Object, True), h: R.Object, i: R.Tuple(R.Object, R.Tensor)):
    return a
