# Constants that an `if` outside of functions decides, where constants decide the `if`.
import sys

from tvm.script import relax as R
from tvm.script import tirx as T

VERIFY = False
M = 64
if VERIFY:
    M = 16
K = 4096
if K <= 1024:
    TILE = 8
elif M == 64:
    TILE = 16
else:
    TILE = 32
N = 3
if len(sys.argv) > 1:
    N = 5
if not VERIFY:
    if TILE > 8:
        W = TILE // 8
    else:
        W = 1


@R.function
def f(x: R.Tensor((M, TILE), "float32"), y: R.Tensor((N,), "float32")):
#!                                                    ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
    a = R.reshape(x, (M * TILE,))
    #! a: R.Tensor((1024,), dtype="float32")
    b = R.add(y, R.const(1, "float32"))
    #! b: R.Tensor(({N},), dtype="float32")
    c = R.reshape(x, (W, -1))
    #! c: R.Tensor((2, 512), dtype="float32")
    return (a, b, c)
