# How arguments of functions of T bind: by position, by keyword, `dtype=` that goes first or is dropped, a `span` of None; the same in
# Relax functions, in PrimFuncs and behind a star.
# rlx-golden: check
from tvm.script import relax as R, tirx as T


@R.function
def of_relax(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    a = R.shape([T.max(n, a=4)])
    #!                    ^^^ error[RLX0425]: T.max: argument `a` is given twice
    b = R.shape([T.max(a=n, b=4)])
    c = R.shape([T.ceildiv(lhs=n, rhs=2), T.ceildiv(n, 2, None), T.floordiv(n, 4, span=None)])
    d = R.shape([T.if_then_else(n > 2, n, 4, None)])
    e = R.shape([T.max(n, 4, span=None)])
    #!                       ^^^^ error[RLX0424]: T.max has no parameter `span`
    f = R.shape([T.min(n, bee=4)])
    #!                    ^^^ error[RLX0424]: T.min has no parameter `bee`
    g = R.shape([T.int64(4, dtype="int64")])
    #!                      ^^^^^ error[RLX0424]: T.int64 has no parameter `dtype`
    return x


@T.prim_func
def of_prim_func(A: T.Buffer((8,), "int64"), n: T.int64):
    A[0] = T.max(*[n], b=4)
    A[1] = T.max(*[n], a=n)
    #!           ^^^^ error[RLX0614]: T.max: it is given `a` twice
    A[2] = T.max(*[n, 4], c=3)
    #!           ^^^^^^^ error[RLX0614]: T.max: it has no parameter `c`
    A[3] = T.max(*[n, 4], span=None)
    #!           ^^^^^^^ error[RLX0614]: T.max: it has no parameter `span`
    A[4] = T.floordiv(*[n, 4], span=None)
    A[5] = T.call_extern(*["f", n], dtype="int64")
    A[6] = T.call_extern("f", n, dtype="int64")
    A[7] = T.abs(*[n], dtype="int64")
