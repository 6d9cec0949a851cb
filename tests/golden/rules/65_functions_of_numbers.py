# Functions of Python that compute with numbers take no value of a PrimFunc.
import math

import numpy as np
from tvm.script import tirx as T

K = math.sqrt(16.0)


@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), n: T.int32):
    for i in range(4):
        A[i] = math.exp(A[i])
        #!              ^^^^ error[RLX0614]: an expression of float32, expected a number that Python knows
        A[i] = math.pow(2.0, i)
        #!                   ^ error[RLX0614]: an expression of int32, expected a number that Python knows
        A[i] = np.tanh(A[0])
        #!             ^^^^ error[RLX0614]: an expression of float32, expected a number that Python knows
        A[i] = np.log2(n)
        #!             ^ error[RLX0614]: an expression of int32, expected a number that Python knows


@T.prim_func
def right(A: T.Buffer((4,), "float32"), n: T.int32):
    scale = T.meta_var(math.sqrt(K) / np.exp(1.0))
    for i in range(4):
        A[i] = T.exp(A[i]) * scale + np.add(A[i], math.pi)
