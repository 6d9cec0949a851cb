# What a call may change, whoever takes its result, is not what was assigned: through parameters, lambdas and methods.
import numpy as np
from tvm.script import relax as R
from helpers import twist

def fill(w, v=0):
    w[0] = 5

def zap(*ws):
    for q in ws:
        q[:] = 0

def outer_fill(a):
    return fill(a)

def pure(ok):
    return ok + 1

A1 = np.array([2, 3])
A2 = np.array([2, 3])
A3 = np.array([2, 3])
A4 = np.array([2, 3])
A5 = np.array([2, 3])
A6 = np.array([2, 3])
L = [2, 3]
last = L.pop()
D = {"a": 3}
q = D.pop("a")
_ = fill(A1)
if fill(w=A2):
    pass
_ = outer_fill(A3)
_ = pure(A4)
_ = twist(A5)
_ = [zap(v) for v in (A6,)]
A7 = np.array([2, 3])
_ = A7.sort()
class K:
    W = np.array([2, 3])
A8 = np.array([2, 3])
_ = (lambda z: z.fill(0))(A8)
A9 = np.array([2,3])
assert fill(A9) is None

B1 = np.array([2, 3])
_ = B1.sum(), np.dot(B1, B1), len(B1), B1.tolist()
B2 = np.array([2, 3])
assert (B3 := B2) is not None
B3[0] = 4


@R.function
def main(x: R.Tensor((6,), "float32")):
    a1 = R.reshape(x, R.tensor_to_shape(R.const(A1, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Shape(ndim=2)
    #! a1: R.Tensor(dtype="float32", ndim=2)
    a2 = R.reshape(x, R.tensor_to_shape(R.const(A2, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv1: R.Shape(ndim=2)
    #! a2: R.Tensor(dtype="float32", ndim=2)
    a3 = R.reshape(x, R.tensor_to_shape(R.const(A3, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv2: R.Shape(ndim=2)
    #! a3: R.Tensor(dtype="float32", ndim=2)
    a4 = R.reshape(x, R.tensor_to_shape(R.const(A4, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv3: R.Shape([2, 3])
    #! a4: R.Tensor((2, 3), dtype="float32")
    a5 = R.reshape(x, R.tensor_to_shape(R.const(A5, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv4: R.Shape(ndim=2)
    #! a5: R.Tensor(dtype="float32", ndim=2)
    a6 = R.reshape(x, R.tensor_to_shape(R.const(A6, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv5: R.Shape(ndim=2)
    #! a6: R.Tensor(dtype="float32", ndim=2)
    a7 = R.reshape(x, R.tensor_to_shape(R.const(A7, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv6: R.Shape(ndim=2)
    #! a7: R.Tensor(dtype="float32", ndim=2)
    a8 = R.reshape(x, R.tensor_to_shape(R.const(A8, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv7: R.Shape(ndim=2)
    #! a8: R.Tensor(dtype="float32", ndim=2)
    a9 = R.reshape(x, R.tensor_to_shape(R.const(A9, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv8: R.Shape(ndim=2)
    #! a9: R.Tensor(dtype="float32", ndim=2)
    l = R.zeros((L[0], 3), "float32")
    #!           ^ hint[RLX0202]: the value of `L` is known to Python only: it may be anything here
    #! l: R.Tensor(({L[0]}, 3), dtype="float32")
    d = R.zeros((D["a"], 3), "float32")
    #!           ^ hint[RLX0202]: the value of `D` is known to Python only: it may be anything here
    #! d: R.Tensor(({D["a"]}, 3), dtype="float32")
    b1 = R.reshape(x, R.tensor_to_shape(R.const(B1, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv9: R.Shape([2, 3])
    #! b1: R.Tensor((2, 3), dtype="float32")
    b2 = R.reshape(x, R.tensor_to_shape(R.const(B2, "int64")))
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv10: R.Shape(ndim=2)
    #! b2: R.Tensor(dtype="float32", ndim=2)
    return a1
