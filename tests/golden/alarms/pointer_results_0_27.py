# From 0.26 on a PrimFunc may say that it returns a typed pointer, in brackets, too.
from tvm.script import ir as I, relax as R, tirx as T


@T.prim_func(s_tir=True)
def plain(a: T.handle) -> T.Ptr[T.float32]:
    T.evaluate(0)


@T.prim_func(s_tir=True)
def shared(a: T.handle) -> T.Ptr[T.float32, "shared"]:
    T.evaluate(0)


@R.function
def other(x: R.Any) -> R.Any:
    return x
