# rlx-golden: check
# Rule 15: annotations against what is deduced (1-structinfo, 1.4).
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def wrong(x: R.Tensor((2, 3), "float32")):
    a: R.Tensor((3, 2), "float32") = R.abs(x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((3, 2), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): dimension 0 is 2, expected 3
    #!     line 8: the value is the result of R.abs
    #!     line 7: `x` is R.Tensor((2, 3), dtype="float32")
    #!     fix: annotate what is deduced
    b: R.Tensor((2, 3), "float16") = R.abs(x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((2, 3), dtype="float16"), but the value is R.Tensor((2, 3), dtype="float32"): the dtype is float32, expected float16
    #!     line 9: the value is the result of R.abs
    #!     line 7: `x` is R.Tensor((2, 3), dtype="float32")
    #!     fix: annotate what is deduced
    c: R.Tensor((2,), "float32") = R.abs(x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((2,), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): the number of dimensions is 2, expected 1
    #!     line 10: the value is the result of R.abs
    #!     line 7: `x` is R.Tensor((2, 3), dtype="float32")
    #!     fix: annotate what is deduced
    d: R.Shape([2, 3]) = R.abs(x)
    #! ^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Shape([2, 3]), but the value is R.Tensor((2, 3), dtype="float32"): R.Tensor((2, 3), dtype="float32") is not R.Shape([2, 3])
    #!     line 11: the value is the result of R.abs
    #!     line 7: `x` is R.Tensor((2, 3), dtype="float32")
    #!     fix: annotate what is deduced
    e: R.Tuple(R.Tensor((2, 3), "float32")) = (x, x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tuple(R.Tensor((2, 3), dtype="float32")), but the value is R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")): the number of fields is 2, expected 1
    #!     fix: annotate what is deduced
    return x


@R.function
def result(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float16"):
    return x
    #!     ^ error[RLX0353]: the function is declared to return R.Tensor((2, 3), dtype="float16"), but the value is R.Tensor((2, 3), dtype="float32"): the dtype is float32, expected float16
    #!     line 17: declared here
    #!     fix: declare what is returned


@R.function
def result_dimension(x: R.Tensor((2, 3), "float32")) -> R.Tensor((3, 3), "float32"):
    return x
    #!     ^ error[RLX0353]: the function is declared to return R.Tensor((3, 3), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): dimension 0 is 2, expected 3
    #!     line 22: declared here
    #!     fix: declare what is returned


@R.function
def unknown(x: R.Tensor(("n", "m"), "float32"), o: R.Object):
    n = T.int64()
    m = T.int64()
    a: R.Tensor((m, n), "float32") = R.abs(x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((m, n), dtype="float32"), but the value is only known to be R.Tensor((n, m), dtype="float32"): dimension 0 is n, expected m (2 against 3 for n = 2, m = 3)
    #!     fix: check it with `R.match_cast`
    b: R.Tensor((4, 4), "float32") = R.abs(x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((4, 4), dtype="float32"), but the value is only known to be R.Tensor((n, m), dtype="float32"): dimension 0 is n, expected 4 (2 against 4 for n = 2)
    #!     fix: check it with `R.match_cast`
    c: R.Tensor((n, m), "float32") = o
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((n, m), dtype="float32"), but the value is only known to be R.Object: R.Object is not R.Tensor((n, m), dtype="float32")
    #!     fix: check it with `R.match_cast`
    return a


@R.function
def result_unknown(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("m", "n"), "float32"):
    return x
    #!     ^ warning[RLX0354]: the function is declared to return R.Tensor((m, n), dtype="float32"), but the value is only known to be R.Tensor((n, m), dtype="float32"): dimension 0 is n, expected m (2 against 3 for n = 2, m = 3)
    #!     line 37: declared here


@R.function
def never(x: R.Tensor((2, 3), "float32")):
    y = R.match_cast(x, R.Tensor((2, 3), "int32"))
    #!                  ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0361]: this match_cast can never succeed: R.Tensor((2, 3), dtype="float32") against R.Tensor((2, 3), dtype="int32"): the dtype is float32, expected int32
    #!     fix: cast to what the value is
    return y


@R.function
def right(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor("float32", ndim=2):
    n = T.int64()
    m = T.int64()
    a: R.Tensor((n, m), "float32") = R.abs(x)
    b: R.Tensor("float32", ndim=2) = R.abs(a)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tensor(dtype="float32", ndim=2), deduced is R.Tensor((n, m), dtype="float32")
    #!     fix: make annotation finer
    c: R.Object = R.abs(b)
    #! ^^^^^^^^ hint[RLX0366]: annotated as R.Object, deduced is R.Tensor(dtype="float32", ndim=2)
    #!     fix: make annotation finer
    d: R.Tensor((n * m,), "float32") = R.flatten(x)
    e: R.Tensor((m * n,), "float32") = R.flatten(x)
    return b


# TVM forgets the annotation of a value with nested calls: the variable is what its value is.
@R.function
def forgotten(x: R.Tensor((3, 3), "float32")):
    u: R.Tensor((3, 3), "float32") = R.unique(R.nn.silu(x))
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0350]: annotated as R.Tensor((3, 3), dtype="float32"), but the value is R.Tensor(dtype="float32", ndim=1): the number of dimensions is 1, expected 2
    #!     line 62: the value is the result of R.unique
    #!     line 62: `gv` is R.Tensor((3, 3), dtype="float32")
    #!     fix: annotate what is deduced
    #!                                        ^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    t: R.Tuple(R.Tensor((3, 3), "float32")) = (u,)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tuple(R.Tensor((3, 3), dtype="float32")), but the value is R.Tuple(R.Tensor(dtype="float32", ndim=1)): field 0: the number of dimensions is 1, expected 2
    #!     fix: annotate what is deduced
    s: R.Tensor((3, 3), "float32") = R.shape_of(R.abs(x))
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0350]: annotated as R.Tensor((3, 3), dtype="float32"), but the value is R.Shape([3, 3]): R.Shape([3, 3]) is not R.Tensor((3, 3), dtype="float32")
    #!     line 64: the value is the result of R.shape_of
    #!     line 64: `gv` is R.Tensor((3, 3), dtype="float32")
    #!     fix: annotate what is deduced
    #!                                          ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    v = R.exp(s)
    #!        ^ error[RLX0301]: R.exp expects a tensor as `x`, found R.Shape([3, 3])
    return v
