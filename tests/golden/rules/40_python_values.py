# What TVM's parser evaluates as Python: operators, attributes and calls of Python's own values.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def operators(x: R.Tensor((2, 3), "float32")):
    a = R.shape([2] / 2)
    #!          ^^^^^^^ error[RLX0421]: `/` can't be applied to a list and the Python int 2
    #! a: R.Object
    b = R.shape([2] + 3)
    #!          ^^^^^^^ error[RLX0421]: `+` can't be applied to a list and the Python int 3
    #! b: R.Object
    c = R.shape(-[2])
    #!          ^^^^ error[RLX0421]: `-` can't be applied to a list
    #! c: R.Object
    d: R.Tensor((2, 3), "float32" + 1) = x
    #!                  ^^^^^^^^^^^^^ error[RLX0421]: `+` can't be applied to the string "float32" and the Python int 1
    #! d: R.Tensor((2, 3), dtype="float32")
    e: R.Tensor((2, 3), "float32") + 1 = x
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0421]: `+` can't be applied to the annotation R.Tensor((2, 3), dtype="float32") and the Python int 1
    #! e: R.Tensor((2, 3), dtype="float32")
    f = R.sum(x, axis=1 // 0)
    #!                ^^^^^^ error[RLX0421]: `//` can't be applied to the Python int 1 and the Python int 0
    #! f: R.Tensor(dtype="float32")
    g = not x
    #!  ^^^^^ warning[RLX0449]: `not` looks at the Python objects here: the result is the constant False; write `R.logical_not(…)` for the elements
    #! g: R.Tensor((), dtype="bool")
    h = x is None
    #!  ^^^^^^^^^ warning[RLX0449]: `is` looks at the Python objects here: the result is the constant False
    #! h: R.Tensor((), dtype="bool")
    return x


@R.function
def attributes(x: R.Tensor((2, 3), "float32")):
    a: R.Tensor((2, 3), "float32").Tensor = x
    #!                             ^^^^^^ error[RLX0203]: `R.Tensor((2, 3), "float32").Tensor` does not exist
    #! a: R.Tensor((2, 3), dtype="float32")
    b = R.floor.group_norm(x)
    #!          ^^^^^^^^^^ error[RLX0203]: `R.floor.group_norm` does not exist
    #! b: R.Object
    c = (x,).matmul(x)
    #!       ^^^^^^ error[RLX0203]: `(x,).matmul` does not exist
    #! c: R.Object
    d = R.prim_value(T.float32.x(1.0))
    #!                         ^ error[RLX0203]: `T.float32.x` does not exist
    #! d: R.Object
    e = T.frobnicate(1)
    #!    ^^^^^^^^^^ error[RLX0203]: `T.frobnicate` does not exist
    #! e: R.Object
    return x


@R.function
def calls(x: R.Tensor((2, 3), "float32")):
    a = R.nn(x)
    #!  ^^^^ error[RLX0428]: `R.nn` can't be called
    #! a: R.Object
    b = R.function(x)
    #!  ^^^^^^^^^^^^^ error[RLX0429]: `R.function(…)`, which decorates functions and classes, can't be used in a Relax function
    #! b: R.Object
    c = R.add[0](x, x)
    #!  ^^^^^^^^ error[RLX0358]: only tuples can be indexed, found an operator that is not called
    #! c: R.Object
    d = T.if_then_else(x, 1, 2)
    #!                 ^ error[RLX0446]: T.if_then_else: `cond` is R.Tensor((2, 3), dtype="float32"), expected a number or a symbolic expression
    #! d: R.Object
    e = T.min(1)
    #!  ^^^^^^^^ error[RLX0423]: T.min: argument `b` is missing
    #! e: R.Object
    f = T.max(1, 2, 3)
    #!  ^^^^^^^^^^^^^^ error[RLX0422]: T.max takes at most 2 positional arguments, 3 given
    #! f: R.Object
    g = T.Cast("float32", x)
    #!                    ^ error[RLX0446]: T.Cast: `value` is R.Tensor((2, 3), dtype="float32"), expected a number or a symbolic expression
    #! g: R.Object
    h = R.multiply(x, R)
    #!                ^ error[RLX0301]: R.multiply expects a tensor as `x2`, found `R`
    #! h: R.Tensor
    i = x if 1 else x
    #!       ^ error[RLX0446]: a conditional expression: `condition` is the Python int 1, expected True, False or a symbolic condition
    #! i: R.Object
    j = R.const((1, 2), "float32")
    #!          ^^^^^^ error[RLX0446]: R.const: `value` is a tuple, expected a number or a list
    #! j: R.Object
    k = {"a": x}["b"]
    #!           ^^^ error[RLX0446]: an item of a dict: `key` is the string "b", expected one of its keys
    #! k: R.Object
    return x


@R.function
def symbols(x: R.Tensor(("n", 3), "float32")):
    n = T.int64()
    a = R.shape([n + "a"])
    #!           ^^^^^^^ error[RLX0421]: `+` can't be applied to the symbolic integer `n` and the string "a"
    #! a: R.Shape(ndim=1)
    b = R.shape([n // 0])
    #!           ^^^^^^ error[RLX0421]: `//` can't be applied to the symbolic integer `n` and the Python int 0: nothing is divided by 0
    #! b: R.Shape(ndim=1)
    c = R.shape([n == None])
    #!           ^^^^^^^^^ error[RLX0421]: `==` can't be applied to the symbolic integer `n` and `None`
    #! c: R.Shape(ndim=1)
    d = R.shape([+n])
    #!           ^^ error[RLX0421]: `+` can't be applied to the symbolic integer `n`
    #! d: R.Shape(ndim=1)
    e = R.shape([n and 1])
    #!           ^^^^^^^ error[RLX0421]: `and` can't be applied to the symbolic integer `n` and the Python int 1
    #! e: R.Shape(ndim=1)
    f = R.shape([T.if_then_else(n, n, n)])
    #!                          ^ error[RLX0446]: T.if_then_else: `condition` is the symbolic integer `n`, expected a condition
    #! f: R.Shape(ndim=1)
    n + T.int64()
    #!  ^^^^^^^^^ error[RLX0208]: symbolic variable `v` has no value: no parameter and no match_cast above has it as a dimension by itself
    return x


@R.function
def parameters_are_named(g: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"))):
    a = T.if_then_else(g, 1, 2)
    #!                 ^ error[RLX0446]: T.if_then_else: `cond` is R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True), expected a number or a symbolic expression
    #! a: R.Object
    b = T.max(1, g)
    #!           ^ error[RLX0446]: T.max: `b` is R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True), expected a number or a symbolic expression
    #! b: R.Object
    return g


@R.function
def bytes_are_called(x: R.Tensor((4,), "float32")):
    y = b"R.add"(x, x)
    #!  ^^^^^^^^ error[RLX0428]: a bytes literal can't be called
    #! y: R.Object
    return x


@R.function
def integers_that_uint64_holds(x: R.Tensor((2,), "uint64")):
    a = R.const(18446744073709551615, "uint64")
    #! a: R.Tensor((), dtype="uint64")
    b = R.const([[18446744073709551614, 0], [1, 0x8000_0000_0000_0000]], "uint64")
    #! b: R.Tensor((2, 2), dtype="uint64")
    c = R.const(9223372036854775808)
    #! c: R.Tensor((), dtype="uint64")
    d = R.const([9223372036854775808, 7])
    #! d: R.Tensor((2,), dtype="float32")
    e = R.const([9223372036854775809, 2.5])
    #! e: R.Tensor((2,), dtype="float32")
    f = R.const(-9223372036854775808, "int64")
    #! f: R.Tensor((), dtype="int64")
    g = R.const([-9223372036854775808, 3], "int64")
    #! g: R.Tensor((2,), dtype="int64")
    h = R.const(9223372036854775808, "int64")
    #!          ^^^^^^^^^^^^^^^^^^^ error[RLX0446]: R.const: `value` is the Python int 9223372036854775808 of 64 bits, expected a number that int64 holds
    #! h: R.Object
    i = R.const([0, 18446744073709551615], "uint8")
    #!              ^^^^^^^^^^^^^^^^^^^^ error[RLX0446]: R.const: `value` is the Python int 18446744073709551615 of 64 bits, expected a number that uint8 holds
    #! i: R.Object
    j = R.const([18446744073709551616], "uint64")
    #!           ^^^^^^^^^^^^^^^^^^^^ error[RLX0446]: R.const: `value` is an integer of more than 64 bits, expected a number that uint64 holds
    #! j: R.Object
    k = R.const(18446744073709551616, "float32")
    #! k: R.Tensor(dtype="float32")
    l = R.const([2.5, 18446744073709551616])
    #!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0443]: a list can't be a constant tensor
    #! l: R.Tensor
    m = R.add(x, 18446744073709551615)
    #!           ^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the int 18446744073709551615
    #!     fix: make it a constant
    #! m: R.Tensor
    return x


# Distances beyond int64: Python's ranges have them all the same.
FAR = 6000000000000000000
UP = [i for i in range(-FAR, FAR, 4000000000000000000)]
DOWN = [i for i in range(FAR, -FAR, -5000000000000000000)]
WIDE = [i for i in range(0, 9223372036854775807, 4611686018427387904)]
NONE = [i for i in range(FAR, -FAR, 7000000000000000000)]


@R.function
def ranges(x: R.Tensor((2,), "float32")):
    a = R.shape([len(UP), UP[1], UP[2]])
    #! a: R.Shape([3, -2000000000000000000, 2000000000000000000])
    b = R.shape([len(DOWN), DOWN[1], DOWN[2]])
    #! b: R.Shape([3, 1000000000000000000, -4000000000000000000])
    c = R.shape([len(WIDE), WIDE[1]])
    #! c: R.Shape([2, 4611686018427387904])
    d = R.shape([len(NONE)])
    #! d: R.Shape([0])
    return x
