# Arrays with a length that Python alone knows: the rank is that of the shape as it is written, the dtype numpy's.
import os

import numpy as np
from tvm.script import ir as I, relax as R

N = int(os.environ["N"])
A = np.zeros((N, 4), "float32")
B = np.ones((2, N)).T
C = np.random.default_rng(0).normal(size=(N, 2, 3)).astype("float16")
D = np.arange(12, dtype="int8").reshape(N, 3)
E = A * 2 + A
F = np.zeros(N, "int64")
G = np.concatenate([np.eye(4, dtype="float32"), A])
H = np.linspace(0, 1, N)
J = np.zeros((N, 2), "int32")
J.resize((3,))


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 4), "float32")):
        a = R.const(A)
        #!          ^ hint[RLX0202]: the value of `A` is known to Python only: it may be anything here
        #! a: R.Tensor(dtype="float32", ndim=2)
        b = R.const(B)
        #!          ^ hint[RLX0202]: the value of `B` is known to Python only: it may be anything here
        #! b: R.Tensor(dtype="float32", ndim=2)
        c = R.const(C)
        #!          ^ hint[RLX0202]: the value of `C` is known to Python only: it may be anything here
        #! c: R.Tensor(dtype="float16", ndim=3)
        d = R.const(D, "int32")
        #!          ^ hint[RLX0202]: the value of `D` is known to Python only: it may be anything here
        #! d: R.Tensor(dtype="int32", ndim=2)
        e = R.const(E)
        #!          ^ hint[RLX0202]: the value of `E` is known to Python only: it may be anything here
        #! e: R.Tensor(dtype="float32", ndim=2)
        f = R.const(F)
        #!          ^ hint[RLX0202]: the value of `F` is known to Python only: it may be anything here
        #! f: R.Tensor(dtype="int32")
        g = R.const(G)
        #!          ^ hint[RLX0202]: the value of `G` is known to Python only: it may be anything here
        #! g: R.Tensor(dtype="float32", ndim=2)
        h = R.const(H)
        #!          ^ hint[RLX0202]: the value of `H` is known to Python only: it may be anything here
        #! h: R.Tensor(dtype="float32", ndim=1)
        i = R.const(np.full((3, N), 1.5))
        #!                      ^ hint[RLX0202]: the value of `N` is known to Python only: it may be anything here
        #! i: R.Tensor(dtype="float32", ndim=2)
        j = R.const(J)
        #!          ^ hint[RLX0202]: the value of `J` is known to Python only: it may be anything here
        #! j: R.Tensor
        k = R.const(A == A)
        #!          ^ hint[RLX0202]: the value of `A` is known to Python only: it may be anything here
        #!               ^ hint[RLX0202]: the value of `A` is known to Python only: it may be anything here
        #! k: R.Tensor
        l = R.const(A[0])
        #!          ^ hint[RLX0202]: the value of `A` is known to Python only: it may be anything here
        #! l: R.Tensor
        m = R.reshape(x, (A.shape[0], 4))
        #!                ^ hint[RLX0202]: the value of `A` is known to Python only: it may be anything here
        #! m: R.Tensor(({A.shape[0]}, 4), dtype="float32")
        n = R.matmul(a, x)
        #! n: R.Tensor(dtype="float32", ndim=2)
        return (a, n)


# What contradicts the rank or the dtype is a mistake for every length.
@R.function
def wrong(x: R.Tensor((4, 4), "float32")):
    a = R.add(x, R.const(C))
    #!  ^^^^^^^^^^^^^^^^^^^^ error[RLX0302]: R.add: operands have different dtypes, float32 and float16
    #!     line 43: `x` is R.Tensor((4, 4), dtype="float32")
    #!     fix: cast the right operand to float32
    #!                   ^ hint[RLX0202]: the value of `C` is known to Python only: it may be anything here
    #! a: R.Tensor(ndim=3)
    b = R.sum(R.const(A), axis=2)
    #!                ^ hint[RLX0202]: the value of `A` is known to Python only: it may be anything here
    #!                         ^ error[RLX0305]: R.sum: axis 2 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `1`
    #! b: R.Tensor(dtype="float32")
    return (a, b)
