# One mistake, one report: names that are too few, a module by another name, what a reshape makes, one argument of two calls.
# rlx-golden: check
# rlx-golden: unused
from tvm.script import ir as I, relax as R, tirx as T


@T.prim_func(s_tir=True)
def axes(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for i, j in T.grid(4, 6):
        with T.sblock("copy"):
            vi, = T.axis.remap("SS", [i, j])
            #!    ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0607]: T.axis.remap: it takes one letter and one loop for each variable
            B[vi, vj] = A[vi, vj]


@T.prim_func(s_tir=True)
def loops(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for i, in T.grid(4, 6):
    #!        ^^^^^^^^^^^^ error[RLX0613]: loops of `T.grid`: 2, names for them: 1
        B[i, j] = A[i, j]
    for k in range(4):
        B[k, elsewhere] = A[k, 0]
        #!   ^^^^^^^^^ error[RLX0201]: `elsewhere` is not defined


@R.function
def fields(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
    a, b = t
#!  ^^^^ error[RLX0359]: 2 names for a tuple of 3
    #!     fix: unpack all of it
    return R.add(a, R.add(b, c))
    #!              ^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable


@T.prim_func(s_tri=True)
#!           ^^^^^ error[RLX0424]: T.prim_func has no parameter `s_tri`; did you mean `s_tir`?
def flag(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.sblock("copy"):
            vi = T.axis.spatial(4, i)
            B[vi] = A[vi]


@R.function
def reshaped(x: R.Tensor(("n", 6), "float32"), w: R.Tensor((5, 2), "float32")):
    n = T.int64()
    y = R.reshape(x, R.shape([n, 3]))
    z = R.exp(y)
    return R.matmul(z, w)
    #!     ^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 3 in (n, 3), 5 in (5, 2)
    #!     line 41: `z` is R.Tensor((n, 3), dtype="float32")
    #!     line 38: `w` is R.Tensor((5, 2), dtype="float32")
    #!     line 40: the tensor has n * 6 elements, shape (n, 3) has n * 3: they are equal only where there are none
    #!     fix: declare dimension 0 of `w` as 3


@R.function
def reshaped_alone(x: R.Tensor(("n", 6), "float32"), w: R.Tensor((5, 2), "float32")):
    n = T.int64()
    y = R.reshape(x, R.shape([n, 3]))
    #!               ^^^^^^^^^^^^^^^ warning[RLX0333]: the tensor has n * 6 elements, shape (n, 3) has n * 3: they are equal only where there are none
    z = R.matmul(x, w)
    #!  ^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 6 in (n, 6), 5 in (5, 2)
    #!     line 46: `x` is R.Tensor((n, 6), dtype="float32")
    #!     line 46: `w` is R.Tensor((5, 2), dtype="float32")
    #!     fix: declare dimension 0 of `w` as 6
    return (y, z)


@R.function
def negative(w: R.Tensor((3,), "float32")):
    y: R.Tensor((4,), "float32") = R.arange(5, 2, 1, dtype="float32")
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((4,), dtype="float32"), but the value is R.Tensor((-3,), dtype="float32"): dimension 0 is -3, expected 4
    #!     line 55: the value is the result of R.arange
    #!     fix: annotate what is deduced
    return R.add(y, w)


@I.ir_module
class Calls:
    @R.function
    def one(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def other(a: R.Tensor((2,), "float32"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def main(a: R.Tensor((2,), "float32"), x: R.Tensor((5,), "float32"), y: R.Tensor((5,), "float32")):
        cls = Calls
        b = cls.one(x)
        #!          ^ error[RLX0427]: argument 0 of `one` is R.Tensor((5,), dtype="float32"), expected R.Tensor((4,), dtype="float32"): dimension 0 is 5, expected 4
        #!     line 62: declared here
        #!     line 73: here, too
        #!     line 74: here, too
        c = cls.other(a, x)
        d = cls.one(y)
        return (b, c, d)


@I.ir_module
class Named:
    @R.function
    def one(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def two(x: R.Tensor((4,), "float32")):
        cls = Module
        #!    ^^^^^^ error[RLX0201]: `Module` is not defined
        #!     line 91: here, too
        return cls.one(x)

    @R.function
    def three(x: R.Tensor((4,), "float32")):
        cls = Module
        return cls.one(x)


# The callee's parameter has lost its shape: what the caller returns is not known for that reason.
@I.ir_module
class Unknown:
    @R.function
    def twice(x: R.Tensor("n", "float32")):
    #!                    ^^^ error[RLX0446]: R.Tensor: `shape` is the string "n", expected a tuple of dimensions
        n = T.int64()
        return R.add(x, R.ones(R.shape([n]), "float32"))
        #!              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Unknown
        y = cls.twice(x)
        return y


# The annotation of `made` is wrong, and to repeat it in a caller is no fix.
@I.ir_module
class Returned:
    @R.function
    def made(x: R.Tensor((4,), "float32")) -> R.Tensor((4, 1), "float32"):
        return R.exp(x)
        #!     ^^^^^^^^ warning[RLX0353]: the function is declared to return R.Tensor((4, 1), dtype="float32"), but the value is R.Tensor((4,), dtype="float32"): the number of dimensions is 1, expected 2
        #!     line 114: declared here
        #!     fix: declare what is returned

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y: R.Tensor((4,), "float32") = Returned.made(x)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((4,), dtype="float32"), but the value is R.Tensor((4, 1), dtype="float32"): the number of dimensions is 2, expected 1
        return y


# The decorator's indentation fits nothing, so that the function has none.
@I.ir_module
class Indented:
    @R.function
    def first(x: R.Tensor((4,), "float32")):
        return x

      @R.function
#!    ^^^^^^^^^^^ error[RLX0101]: this line's indentation fits no block
    def second(x: R.Tensor((4,), "float32")):
        return x
