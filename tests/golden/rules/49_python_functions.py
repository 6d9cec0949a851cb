# Python's own functions and forms on values of a script: what they give, and what they stop at.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def stopped(x: R.Tensor((2, 3), "float32")):
    a = R.reshape(x, (3, round("2")))
    #!                         ^^^ error[RLX0446]: Python's `round`: `argument` is the string "2", expected a number
    #! a: R.Tensor(dtype="float32", ndim=2)
    b = R.reshape(x, (3, divmod(7, "3")[0]))
    #!                             ^^^ error[RLX0446]: Python's `divmod`: `argument` is the string "3", expected a number
    #! b: R.Tensor(dtype="float32", ndim=2)
    c = R.reshape(x, (3, max(2, None)))
    #!                   ^^^^^^^^^^^^ error[RLX0421]: `>` can't be applied to `None` and the Python int 2
    #! c: R.Tensor(dtype="float32", ndim=2)
    d = R.reshape(x, (3, float(x)))
    #!                         ^ error[RLX0446]: Python's `float`: `argument` is R.Tensor((2, 3), dtype="float32"), expected a number
    #! d: R.Tensor(dtype="float32", ndim=2)
    e = R.sum(x, axis=len(R.sum))
    #!                    ^^^^^ error[RLX0446]: Python's `len`: `argument` is an operator that is not called, expected a list
    #! e: R.Tensor(dtype="float32")
    f = R.zeros(sum(3), "float32")
    #!              ^ error[RLX0446]: Python's `sum`: `argument` is the Python int 3, expected a list
    #! f: R.Object
    g = R.zeros((2, 3 < 4 < "5"), "float32")
    #!              ^^^^^^^^^^^ error[RLX0421]: `<` can't be applied to the Python int 4 and the string "5"
    #! g: R.Tensor(dtype="float32", ndim=2)
    return x


@R.function
def given(x: R.Tensor((6, 2), "float32")):
    a = R.reshape(x, (max(3, 4), min([3, 5])))
    #! a: R.Tensor((4, 3), dtype="float32")
    b = R.reshape(x, (abs(12), int(bool(R))))
    #! b: R.Tensor((12, 1), dtype="float32")
    return b


@R.function
def stars(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "int32")):
    a, *b = x, y, x
    #! a: R.Tensor((2,), dtype="float32")
    c, d = b
    #! c: R.Tensor((3,), dtype="int32")
    #! d: R.Tensor((2,), dtype="float32")
    *e, f = (x, y)
    #! f: R.Tensor((3,), dtype="int32")
    g, *h, i = x, y
    #! g: R.Tensor((2,), dtype="float32")
    #! i: R.Tensor((3,), dtype="int32")
    return (c, f)


@R.function
def too_few(x: R.Tensor((2,), "float32")):
    a, *b, c = (x,)
#!  ^^^^^^^^ error[RLX0359]: 3 names for a tuple of 1
    #! a: R.Tensor((2,), dtype="float32")
    #! b: R.Object
    #! c: R.Object
    return x


@R.function
def letters(x: R.Tensor((2, 3), (*"float32",))):
#!                              ^^^^^^^^^^^^^ error[RLX0446]: R.Tensor: `dtype` is a tuple, expected a dtype's name
    y = R.zeros((*T.int64(2),), "float32")
    #!           ^^^^^^^^^^^ error[RLX0421]: `*` can't be applied to the symbolic integer `2`
    #! y: R.Object
    return x


@R.function
def numbers(x: R.Tensor((2,), "float32"), y: R.Tensor((T.max_value("int8"),), "float32")):
    a = R.add(x, y)
    #!  ^^^^^^^^^^^ error[RLX0303]: R.add: shapes (2,) and (127,) can't be broadcast: dimension 0 is 2, dimension 0 of the other is 127
    #!     line 46: `x` is R.Tensor((2,), dtype="float32")
    #!     line 46: `y` is R.Tensor((127,), dtype="float32")
    #!     fix: declare dimension 0 of `y` as 2
    #!     fix: declare dimension 0 of `x` as 127
    #! a: R.Tensor(dtype="float32", ndim=1)
    b = R.zeros((T.int8(300),), "float32")
    #!                  ^^^ error[RLX0446]: T.int8: `value` is the Python int 300, expected a number that int8 holds
    #! b: R.Tensor(dtype="float32", ndim=1)
    c = R.zeros((T.bool(2),), "float32")
    #!                  ^ error[RLX0446]: T.bool: `value` is the Python int 2, expected a number that bool holds
    #! c: R.Tensor(dtype="float32", ndim=1)
    d = R.zeros((T.Cast("int16", 3),), "float32")
    #!           ^^^^^^^^^^^^^^^^^^ error[RLX0362]: the symbolic integer `Cast(3)` of dtype int16 is not a dimension: expected an integer or a symbolic integer
    #! d: R.Tensor((Cast(3),), dtype="float32")
    e = R.zeros((9223372036854775808,), "float32")
    #!           ^^^^^^^^^^^^^^^^^^^ error[RLX0362]: the Python int 9223372036854775808 of 64 bits is not a dimension: expected an integer or a symbolic integer
    #! e: R.Tensor(dtype="float32")
    f = R.const(9223372036854775808, "float32")
    #! f: R.Tensor((), dtype="float32")
    return f


@R.function
def types(x: R.Tensor((2, T.uint64()), "float32"), y: R.Tuple(R.Object, shape=R.Object)) -> (s := R.Object):
#!                        ^^^^^^^^^^ error[RLX0362]: a new symbolic variable is not a dimension: expected an integer or a symbolic integer
#!                                                                      ^^^^^ error[RLX0424]: R.Tuple has no parameter `shape`
    return x
