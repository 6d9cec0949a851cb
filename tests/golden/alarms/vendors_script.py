# A decorator of another package below `tvm` is not TVM's: what it decorates is in a language of its own.
# rlx-golden: check
import tvm
from tvm.script import tirx as T
from tvm.vendor.dsl import script as S
from tvm.vendor import script
from tvm.vendor.script import prim_func


@S.prim_func
def early(a: S.ptr("int8", "global"), b: S.ptr("int8", "global")):
    if S.get_local_id() != 0:
        return
    b[0] = a[0]


@script.prim_func
def swaps(a: script.ptr("int8", "global"), z: script.i8):
    x, y = a[0], a[1]
    x, y, z = z, z + x, z + y - x


@prim_func
def alone(a: S.ptr("int8", "global")):
    return


@T.prim_func
def ours(a: T.Buffer((4,), "int8")):
    return
#!  ^^^^^^ error[RLX0614]: a PrimFunc returns an expression


@tvm.script.tir.prim_func
def old(a: T.Buffer((4,), "int8")):
    return
#!  ^^^^^^ error[RLX0614]: a PrimFunc returns an expression
