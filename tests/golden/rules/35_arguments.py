# What annotations, blocks and attributes of functions are given: too much, twice, under names that they do not have.
# rlx-golden: check
from tvm.script import ir as I
from tvm.script import relax as R, tirx as T


@R.function
def annotations(
    a: R.Tensor((2, 3), "float32", dtype="float16"),
    #!                             ^^^^^^^^^^^^^^^ error[RLX0425]: R.Tensor: argument `dtype` is given twice
    #!     fix: remove it
    b: R.Tensor((2, 3), shape="float32"),
    #!                  ^^^^^^^^^^^^^^^ error[RLX0425]: R.Tensor: argument `shape` is given twice
    #!     fix: remove it
    c: R.Tensor((2, 3), "int8", None, -1, 3),
    #!                                    ^ error[RLX0422]: R.Tensor takes at most 4 positional arguments, 5 given
    d: R.Tensor((2, 3), "int8", (1,)),
    #!                          ^^^^ error[RLX0446]: R.Tensor: `vdevice` is a tuple, expected a device of the module, as "cuda:0"
    e: R.Tensor("float16", None, ndim=2),
    f: R.Callable((R.Tensor,), R.Tensor, True, result=None),
    #!                                         ^^^^^^ error[RLX0424]: R.Callable has no parameter `result`
    g: R.Shape((2,), values=(3,)),
    #!               ^^^^^^^^^^^ error[RLX0425]: R.Shape: argument `values` is given twice
    #!     fix: remove it
    h: R.Object(3),
    #!          ^ error[RLX0422]: R.Object takes at most 0 positional arguments, 1 given
):
    r: R.Tensor(shape=(2, 3), dtype="int8") = c
    return r


@R.function
def block(x: R.Tensor((2,), "float32")):
    R.func_attr({"a": 1}, {"b": 2})
    #!                    ^^^^^^^^ error[RLX0422]: R.func_attr takes at most 1 positional argument, 2 given
    with R.dataflow("first"):
    #!              ^^^^^^^ error[RLX0422]: R.dataflow takes at most 0 positional arguments, 1 given
        y = R.abs(x)
        R.output(y)
    return y


@R.function
def attributes(x: R.Tensor((2,), "float32")):
    R.func_attr()
#!  ^^^^^^^^^^^^^ error[RLX0423]: R.func_attr: argument `attrs` is missing
    with R.dataflow(pure=True):
    #!              ^^^^ error[RLX0424]: R.dataflow has no parameter `pure`
        y = R.abs(x)
        R.output(y)
    return y
