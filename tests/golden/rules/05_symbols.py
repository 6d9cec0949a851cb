# rlx-golden: check
# Rule 5: symbolic variables are defined before use; shape expressions are integers.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def composite_only(x: R.Tensor(("n + 1",), "float32")):
#!                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `n` has no value: no parameter and no match_cast above has it as a dimension by itself
#!     fix: add a parameter that gives `n`
    return x


@R.function
def of_the_result_only(x: R.Tensor((2,), "float32")) -> R.Tensor(("n",), "float32"):
#!                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `n` has no value: no parameter and no match_cast above has it as a dimension by itself
    y = R.abs(x)
    return y


@R.function
def declared_and_never_bound(x: R.Tensor((2,), "float32")):
    n = T.int64()
    y = R.zeros((n,), "float32")
    #!           ^ error[RLX0208]: symbolic variable `n` has no value: no parameter and no match_cast above has it as a dimension by itself
    return y


@R.function
def before_its_match_cast(x: R.Tensor(ndim=1, dtype="float32")):
    n = T.int64()
    y = R.zeros((n,), "float32")
    #!           ^ error[RLX0208]: symbolic variable `n` has no value: no parameter and no match_cast above has it as a dimension by itself
    z = R.match_cast(x, R.Tensor((n,), "float32"))
    return y


@R.function
def in_call_tir(x: R.Tensor((2,), "float32")):
    n = T.int64()
    y = R.call_dps_packed("f", (x,), R.Tensor((n,), "float32"))
    #!                                         ^ error[RLX0208]: symbolic variable `n` has no value: no parameter and no match_cast above has it as a dimension by itself
    return y


@R.function
def in_an_annotation(x: R.Tensor(ndim=1, dtype="float32")):
    n = T.int64()
    y: R.Tensor((n,), "float32") = R.abs(x)
    #!           ^ error[RLX0208]: symbolic variable `n` has no value: no parameter and no match_cast above has it as a dimension by itself
    return y


@R.function
def composite_in_a_match_cast(x: R.Tensor(ndim=1, dtype="float32")):
    n = T.int64()
    y = R.match_cast(x, R.Tensor((n * 2,), "float32"))
    #!                            ^ error[RLX0208]: symbolic variable `n` has no value: no parameter and no match_cast above has it as a dimension by itself
    return y


@R.function
def of_a_branch(c: R.Tensor((), "bool"), x: R.Tensor(ndim=1, dtype="float32")):
    n = T.int64()
    if c:
        a = R.match_cast(x, R.Tensor((n,), "float32"))
        y = R.abs(a)
    else:
        y = R.exp(x)
    z = R.zeros((n,), "float32")
    #!           ^ error[RLX0208]: symbolic variable `n` has no value: no parameter and no match_cast above has it as a dimension by itself
    return z


@R.function
def undeclared(x: R.Tensor((2,), "float32")):
    y = R.zeros((n,), "float32")
    #!           ^ error[RLX0201]: `n` is not defined
    return y


@R.function
def bare_in_signature(x: R.Tensor((n, 2), "float32")):
#!                                 ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    return x


@R.function
def float_dimension(x: R.Tensor((2.5,), "float32")):
#!                               ^^^ error[RLX0362]: the Python float 2.5 is not a dimension: expected an integer or a symbolic integer
    return x


@R.function
def string_with_a_float(x: R.Tensor(("n * 1.5", "n"), "float32")):
#!                                   ^^^^^^^^^ error[RLX0362]: the string "n * 1.5" is not a dimension: expected an integer or a symbolic integer
    return x


@R.function
def float_symbol(x: R.Tensor((2,), "float32")):
    n = T.float32()
    y = R.zeros((n,), "float32")
    #!           ^ error[RLX0362]: the floating-point number `n` is not a dimension: expected an integer or a symbolic integer
    return y


@R.function
def float_in_a_shape(x: R.Tensor((2,), "float32")):
    s = R.shape([2, 1.5])
    #!              ^^^ error[RLX0362]: the Python float 1.5 is not a dimension: expected an integer or a symbolic integer
    return s


@R.function
def bool_dimension(x: R.Tensor((True, 2), "float32")):
#!                              ^^^^ error[RLX0362]: `True` is not a dimension: expected an integer or a symbolic integer
    return x


@R.function
def negative_dimension(x: R.Tensor((-1, 2), "float32")):
    return x


@R.function
def tensor_as_dimension(x: R.Tensor((2,), "float32"), k: R.Tensor((), "int64")):
    y = R.zeros((k, 2), "float32")
    #!           ^ error[RLX0362]: R.Tensor((), dtype="int64") is not a dimension: expected an integer or a symbolic integer
    return y


@R.function
def division(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = R.zeros((n / 2,), "float32")
    #!           ^^^^^ error[RLX0421]: `/` can't be applied to the symbolic integer `n` and the Python int 2: write `//`
    #!     fix: divide with `//`
    return y


@R.function
def right(x: R.Tensor(("n", "n + 1"), "float32"), s: R.Shape(["k"]), p: R.Prim(value="q")):
    n = T.int64()
    k = T.int64()
    q = T.int64()
    m = T.int64()
    y = R.zeros((n * 2, k, q), "float32")
    u = R.unique(R.flatten(x), return_index=False, return_inverse=False, return_counts=False)
    #!           ^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    v = R.match_cast(u, R.Tensor((m,), "float32"))
    w = R.zeros((m + 1,), "float32")
    return (y, v, w)


@R.function
def right_local(x: R.Tensor(("n",), "float32")):
    n = T.int64()

    @R.function
    def inner(a: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        k = T.int64()
        b = R.reshape(a, (k, 1))
        c = R.reshape(b, (k,))
        return c

    y = inner(x)
    return y
