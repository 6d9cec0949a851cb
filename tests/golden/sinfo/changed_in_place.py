# Values that Python changes in place are not those that were assigned: shape and dtype stay, elements of lists do not.
import numpy as np
from tvm.script import ir as I, relax as R, tirx as T

W = np.array([2, 3])
W[0] = 5
V = np.array([2, 3])
V += 1
U = np.array([2, 3])
U.fill(7)
Q = np.array([2, 3])
np.copyto(Q, V)
P = np.array([2, 3])
P2 = P
P2[0] = 5
if True:
    O = np.array([2, 3])
    O[1] = 3
K = np.array([2, 3])
K.sort()
J = np.array([2, 3])
def change():
    J[0] = 4
H = np.array([2, 3])
H.shape = (1, 2)
G = np.array([2, 3])
np.add(G, 1, out=G)
F = np.array([2, 3])
for F[0] in range(4): pass
E = np.array([3, 4])


@R.function
def f(x: R.Tensor((2, 3), "float32")):
    a = R.tensor_to_shape(R.const(W))
    #! a: R.Shape(ndim=2)
    b = R.tensor_to_shape(R.const(V))
    #!                            ^ hint[RLX0202]: the value of `V` is known to Python only: it may be anything here
    #! b: R.Shape(ndim=-1)
    c = R.tensor_to_shape(R.const(U))
    #! c: R.Shape(ndim=2)
    d = R.tensor_to_shape(R.const(Q))
    #! d: R.Shape(ndim=2)
    p = R.tensor_to_shape(R.const(P))
    #! p: R.Shape(ndim=2)
    o = R.tensor_to_shape(R.const(O))
    #! o: R.Shape(ndim=2)
    k = R.tensor_to_shape(R.const(K))
    #! k: R.Shape(ndim=2)
    j = R.tensor_to_shape(R.const(J))
    #! j: R.Shape(ndim=2)
    h = R.tensor_to_shape(R.const(H))
    #!                            ^ hint[RLX0202]: the value of `H` is known to Python only: it may be anything here
    #! h: R.Shape(ndim=-1)
    g = R.tensor_to_shape(R.const(G))
    #! g: R.Shape(ndim=2)
    ff = R.tensor_to_shape(R.const(F))
    #! ff: R.Shape(ndim=2)
    e = R.tensor_to_shape(R.const(E))
    #! e: R.Shape([3, 4])
    return a, b, c, d


L = [2, 3]
L[0] = 6
M = [2]
M.append(3)
C = {"n": 2}
C["n"] = 3


class Cfg:
    n = 2


Cfg.n = 3


@R.function
def lists(x: R.Tensor((2, 3), "float32")):
    a = R.reshape(x, L)
    #!               ^ hint[RLX0202]: the value of `L` is known to Python only: it may be anything here
    #! a: R.Object
    b = R.reshape(x, M)
    #!               ^ hint[RLX0202]: the value of `M` is known to Python only: it may be anything here
    #! b: R.Object
    c = R.reshape(x, (C["n"], 2))
    #!                ^ hint[RLX0202]: the value of `C` is known to Python only: it may be anything here
    #! c: R.Tensor(({C["n"]}, 2), dtype="float32")
    d = R.reshape(x, (Cfg.n, 2))
    #!                ^^^ hint[RLX0202]: the value of `Cfg` is known to Python only: it may be anything here
    #! d: R.Tensor(({Cfg.n}, 2), dtype="float32")
    return a
