# A variable that a match_cast bound is erased from a result, unless a fact says what it is outside.
from tvm.script import relax as R, tir as T


@R.function
def equal(x: R.Tensor(("m",), "float32"), y: R.Tensor(dtype="float32", ndim=1)):
    m = T.int64()
    k = T.int64()
    y0 = R.match_cast(y, R.Tensor((k,), "float32"))
    #! y0: R.Tensor((k,), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=1))
    y1 = R.match_cast(y0, R.Tensor((m * 2,), "float32"))
    #! y1: R.Tensor((m * 2,), dtype="float32")   (deduced R.Tensor((k,), dtype="float32"))
    z = R.concat((y0, y0), axis=0)
    #! z: R.Tensor((k * 2,), dtype="float32")
    return z


@R.function
def solved(x: R.Tensor(("m", "n"), "float32"), y: R.Tensor(dtype="float32", ndim=2)):
    m = T.int64()
    n = T.int64()
    k = T.int64()
    y0 = R.match_cast(y, R.Tensor((k, n), "float32"))
    #! y0: R.Tensor((k, n), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=2))
    y1 = R.match_cast(x, R.Tensor((k + 1, n), "float32"))
    #! y1: R.Tensor((k + 1, n), dtype="float32")   (deduced R.Tensor((m, n), dtype="float32"))
    return y0


@R.function
def unknown(x: R.Tensor(("m",), "float32"), y: R.Tensor(dtype="float32", ndim=1)):
    m = T.int64()
    k = T.int64()
    y0 = R.match_cast(y, R.Tensor((k,), "float32"))
    #! y0: R.Tensor((k,), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=1))
    y1 = R.match_cast(x, R.Tensor((k * 2,), "float32"))
    #! y1: R.Tensor((k * 2,), dtype="float32")   (deduced R.Tensor((m,), dtype="float32"))
    return y0


# What a branch learned says what its value is behind the `if`.
@R.function
def joined(c: R.Tensor((), "bool"), x: R.Tensor(("m",), "float32"), y: R.Tensor(dtype="float32", ndim=1)):
    m = T.int64()
    k = T.int64()
    if c:
    #! z: R.Tensor((m,), dtype="float32")
        y0 = R.match_cast(y, R.Tensor((k,), "float32"))
        #! y0: R.Tensor((k,), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=1))
        R.assert_op(R.prim_value(k == m), format="")
#!        ^^^^^^^^^ error[RLX0432]: `R.assert_op` is impure (it may stop the program), and the function is declared pure
        #!     line 36: declared pure here
        #!     fix: declare the function impure
        #! _: R.Tuple
        z = R.exp(y0)
        #! z: R.Tensor((k,), dtype="float32")
    else:
        z = R.exp(x)
        #! z: R.Tensor((m,), dtype="float32")
    return z


@R.function
def joined_unknown(c: R.Tensor((), "bool"), x: R.Tensor(("m",), "float32"), y: R.Tensor(dtype="float32", ndim=1)):
    m = T.int64()
    k = T.int64()
    if c:
    #! z: R.Tensor(dtype="float32", ndim=1)
        y0 = R.match_cast(y, R.Tensor((k,), "float32"))
        #! y0: R.Tensor((k,), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=1))
        z = R.exp(y0)
        #! z: R.Tensor((k,), dtype="float32")
    else:
        y0 = R.match_cast(y, R.Tensor((m,), "float32"))
        #! y0: R.Tensor((m,), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=1))
        z = R.exp(x)
        #! z: R.Tensor((m,), dtype="float32")
    return z


@R.function
def calls(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32"), y: R.Tensor(dtype="float32", ndim=1)):
    a = equal(x, y)
    #! a: R.Tensor((16,), dtype="float32")
    b = solved(R.zeros((5, 6), "float32"), R.zeros((4, 6), "float32"))
    #!         ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((5, 6), dtype="float32")
    #! gv1: R.Tensor((4, 6), dtype="float32")
    #! b: R.Tensor((4, 6), dtype="float32")
    d = unknown(x, y)
    #! d: R.Tensor(dtype="float32", ndim=1)
    e = joined(c, x, y)
    #! e: R.Tensor((4,), dtype="float32")
    return a, b, d, e
