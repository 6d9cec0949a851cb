# 0.27 takes a TypeVar in the signature of a Relax function for a symbolic variable of the TypeVar's name.
from typing import TypeVar

from tvm.script import relax as R, tirx as T

n, m = TypeVar("n"), TypeVar("m")
k = TypeVar("q")
other = m


@R.function
def right(x: R.Tensor((n, 6), "float32"), y: R.Any):
    z = R.reshape(x, (n * 6,))
    #! z: R.Tensor((n * 6,), dtype="float32")
    return z


@R.function
def wrong_names(x: R.Tensor((k, 6), "float32"), y: R.Tensor((k,), "float32"), z: R.Tensor((other,), "float32")):
#!                           ^ error[RLX0446]: TypeVar: `name` is "q", expected "k", the name that it is bound to
#!                                                                                         ^^^^^ error[RLX0446]: TypeVar: `name` is "m", expected "other", the name that it is bound to
    return x


@R.function
def of_no_signature(x: R.Tensor((4, 6), "float32"), y: R.Any):
    z = R.match_cast(x, R.Tensor((n, 6), "float32"))
    #!                            ^ error[RLX0446]: TypeVar: `name` is "n", expected a symbolic variable of the signature
    #! z: R.Tensor((n, 6), dtype="float32")   (deduced R.Tensor((4, 6), dtype="float32"))
    return z


@T.prim_func(s_tir=True)
def in_a_prim_func(A: T.Buffer((m,), "float32")):
#!                              ^ error[RLX0614]: an object of Python, expected a dimension
    A[0] = T.float32(0)
