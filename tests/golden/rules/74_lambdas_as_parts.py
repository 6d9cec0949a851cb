# TVM calls a lambda without parameters where a part of R.Callable or R.Tuple is wanted; what it gives has to be an annotation that was called.
from tvm.script import relax as R, tirx as T


@R.function
def parts(
    f: R.Callable((lambda: R.Tensor((2,), "float32"),), R.Object),
    g: R.Tuple(lambda: R.Tensor((2, 3)), R.Object),
    h: R.Callable([lambda k=3: R.Tensor((k,))], lambda: R.Tensor((4, 5))),
    x: R.Tensor((2,), "float32"),
):
    y = R.add(g[0], R.const(1.0))
    #! gv: R.Tensor((2, 3))
    #! y: R.Tensor((2, 3))
    z = h(x)
    #! z: R.Tensor((4, 5))
    return z


@R.function
def class_given(f: R.Callable((lambda: R.Tensor,), R.Object)):
#!                             ^^^^^^^^^^^^^^^^ error[RLX0352]: a lambda is not a StructInfo annotation
    return f


@R.function
def number_given(f: R.Tuple(lambda: 3)):
#!                          ^^^^^^^^^ error[RLX0352]: the Python int 3 is not a StructInfo annotation
    return f


@R.function
def parameter(f: R.Callable((R.Object,), lambda x: R.Object())):
#!                                       ^^^^^^^^^^^^^^^^^^^^ error[RLX0352]: a lambda is not a StructInfo annotation
    return f


@R.function
def dtype_given(f: R.Tuple([lambda: T.int64])):
#!                          ^^^^^^^^^^^^^^^ error[RLX0352]: a lambda is not a StructInfo annotation
    return f
