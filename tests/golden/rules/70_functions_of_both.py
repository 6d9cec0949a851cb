# rlx-golden: check
from tvm.script import tirx as T


# T has functions of the names of Relax's operators: what an operator lacks is no fix for them.
@T.prim_func(s_tir=True)
def lacking(P: T.Buffer((8,), "float32"), Q: T.Buffer((8,), "float32")):
    for i in range(8):
        Q[i] = T.atan2(P[i])
        #!     ^^^^^^^^^^^^^ error[RLX0423]: T.atan2: argument `x2` is missing
    Q[0] = T.pow(P[0])
    #!     ^^^^^^^^^^^ error[RLX0423]: T.pow: argument `y` is missing
    Q[1] = T.min(Q[0])
    #!     ^^^^^^^^^^^ error[RLX0423]: T.min: argument `b` is missing
