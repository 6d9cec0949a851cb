# Python's own classes have the attributes of their objects, and no others.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tirx as T


@range.prim_func(s_tir=True)
#!     ^^^^^^^^^ error[RLX0203]: `range.prim_func` does not exist
def primitive(A: T.Buffer((16,), "float32")):
    T.evaluate(0)


@I.ir_module
class Module:
    @R.function
    def called(x: R.Tensor((16,), "float32")):
        y = range.add(x, x)
        #!        ^^^ error[RLX0203]: `range.add` does not exist
        return y

    @R.function
    def annotated(x: dict.Tensor((16,), "float32")):
    #!                    ^^^^^^ error[RLX0203]: `dict.Tensor` does not exist
        return x

    @R.function
    def known(x: R.Tensor((16,), "float32")):
        y = R.reshape(x, (int.from_bytes(b"\x10", "big"),))
        z = R.reshape(x, tuple(list.copy([4, 4])))
        return (y, z)
