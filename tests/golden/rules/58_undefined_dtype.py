# A name of a signature that nothing defines is what its place asks for: a symbolic dimension, which is a string, where
# a dimension stands; elsewhere a name like others. It is one mistake, also where the body has it again.
from tvm.script import relax as R, tir as T


@R.function
def tensor(x: R.Tensor((4,), KIND)):
#!                           ^^^^ error[RLX0201]: `KIND` is not defined
    y = R.astype(x, KIND)
    #! y: R.Tensor((4,))
    return R.exp(y)
    #! gv: R.Tensor((4,))


@R.function
def scalar(x: R.Tensor((4,), "float32"), s: R.Prim(OTHER)):
#!                                                 ^^^^^ error[RLX0201]: `OTHER` is not defined
    return R.exp(x)
    #! gv: R.Tensor((4,), dtype="float32")


@R.function
def quotes(x: R.Tensor((4,), float32)):
#!                           ^^^^^^^ error[RLX0201]: `float32` is not defined; did you mean `"float32"`?
#!     fix: write the dtype's name
    return R.astype(x, int8)
    #!                 ^^^^ error[RLX0201]: `int8` is not defined; did you mean `"int8"`?
    #!     fix: write the dtype's name
    #! gv: R.Tensor((4,))


@R.function
def rank(x: R.Tensor(ndim=RANK), s: R.Shape(ndim=RANK)):
#!                        ^^^^ error[RLX0201]: `RANK` is not defined
    return R.exp(x)
    #! gv: R.Tensor


@R.function
def whole(x: R.Tensor(SHAPE, "float32"), y: R.Tensor(shape=SHAPE, dtype="float32")):
#!                    ^^^^^ error[RLX0201]: `SHAPE` is not defined
    return R.add(x, y)
    #! gv: R.Tensor(dtype="float32")


@R.function
def dimensions(x: R.Tensor((n, 4), "float32"), s: R.Shape([n + 1]), p: R.Prim(value=m)) -> R.Tensor((n, 4), RESULT):
#!                          ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     line 33: here, too
#!     line 33: here, too
#!     fix: make it a string dimension
#!                                                                                  ^ error[RLX0201]: `m` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
#!                                                                                                          ^^^^^^ error[RLX0201]: `RESULT` is not defined
    return R.add(x, x)
    #! gv: R.Tensor((n, 4), dtype="float32")


@R.function
def inside(x: R.Tensor((len(SOME), SOME.first, SOME[0]), "float32"), t: R.Tuple(FIELD)):
#!                          ^^^^ error[RLX0201]: `SOME` is not defined
#!                                                                              ^^^^^ error[RLX0201]: `FIELD` is not defined
    return x


@R.function
def twice(x: R.Tensor(("n",), n)):
#!                            ^ error[RLX0201]: `n` is not defined
    y = R.zeros((n,), "float32")
    #! y: R.Tensor((n,), dtype="float32")
    return R.astype(y, "int32")
    #! gv: R.Tensor((n,), dtype="int32")


@R.function
def most(x: R.Tensor((T.max(k + 1, T.if_then_else(m <= 4, m, 4)), 4), "float32")):
#!                          ^ error[RLX0201]: `k` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
#!                                                ^ error[RLX0201]: `m` is not defined: a symbolic dimension of a signature is a string
#!     line 49: here, too
#!     fix: make it a string dimension
    return x


@R.function
def words(x: R.Tensor((T.floordiv(a + 1, 2), T.int64(b), T.ceildiv(lhs=c, rhs=2), T.cast(d * 2, OF)), "float32"), y: R.Tensor((T.exp.e, 2))):
#!                                ^ error[RLX0201]: `a` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
#!                                                   ^ error[RLX0201]: `b` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
#!                                                                     ^ error[RLX0201]: `c` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
#!                                                                                       ^ error[RLX0201]: `d` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
#!                                                                                              ^^ error[RLX0201]: `OF` is not defined
    return x
