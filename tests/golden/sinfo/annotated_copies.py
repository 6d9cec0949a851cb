# What a variable with an annotation has: a call the annotation; a copy, and a call whose operands are calls themselves, what
# the value has, completed by the annotation.
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Tensor(("n", 4), "float32"), a: R.Tensor("float32", ndim=2), c: R.Tensor((), "bool")):
    n = T.int64()
    coarse_call: R.Tensor(ndim=2) = R.exp(x)
    #!           ^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tensor(ndim=2), deduced is R.Tensor((n, 4), dtype="float32")
    #!     fix: make annotation finer
    #! coarse_call: R.Tensor(ndim=2)   (deduced R.Tensor((n, 4), dtype="float32"))
    coarse_copy: R.Tensor(ndim=2) = x
    #!           ^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tensor(ndim=2), deduced is R.Tensor((n, 4), dtype="float32")
    #!     fix: make annotation finer
    #! coarse_copy: R.Tensor((n, 4), dtype="float32")
    any_copy: R.Object = x
    #!        ^^^^^^^^ hint[RLX0366]: annotated as R.Object, deduced is R.Tensor((n, 4), dtype="float32")
    #!     fix: make annotation finer
    #! any_copy: R.Tensor((n, 4), dtype="float32")
    tuple_copy: R.Tuple(R.Tensor(ndim=2), R.Object) = (x, coarse_call)
    #!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tuple(R.Tensor(ndim=2), R.Object), deduced is R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor(ndim=2))
    #!     fix: make annotation finer
    #! tuple_copy: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor(ndim=2))
    nested: R.Tensor((n, 4)) = R.exp(R.exp(x))
    #!      ^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tensor((n, 4)), deduced is R.Tensor((n, 4), dtype="float32")
    #!     fix: make annotation finer
    #!                               ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((n, 4), dtype="float32")
    #! nested: R.Tensor((n, 4), dtype="float32")
    field: R.Tensor = tuple_copy[0]
    #!     ^^^^^^^^ hint[RLX0366]: annotated as R.Tensor, deduced is R.Tensor((n, 4), dtype="float32")
    #!     fix: make annotation finer
    #! field: R.Tensor((n, 4), dtype="float32")
    more: R.Tensor((3, 5)) = a
    #!    ^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((3, 5)), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
    #!     fix: check it with `R.match_cast`
    #! more: R.Tensor((3, 5), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=2))
    mixed: R.Tuple(R.Tensor((3, 5)), R.Tensor(ndim=2)) = (a, x)
    #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tuple(R.Tensor((3, 5)), R.Tensor(ndim=2)), but the value is only known to be R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor((n, 4), dtype="float32")): field 0: the dimensions are not known
    #!     fix: check it with `R.match_cast`
    #! mixed: R.Tuple(R.Tensor((3, 5), dtype="float32"), R.Tensor((n, 4), dtype="float32"))   (deduced R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor((n, 4), dtype="float32")))
    number: R.Tensor = R.const([1.0, 2.0])
    #!      ^^^^^^^^ hint[RLX0366]: annotated as R.Tensor, deduced is R.Tensor((2,), dtype="float32")
    #!     fix: make annotation finer
    #! number: R.Tensor((2,), dtype="float32")
    return (mixed, number)


@R.function
def closure(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    @R.function
    def outer(c: R.Tensor((2, 3), "float32")) -> R.Callable((R.Tensor(ndim=2),), R.Tensor(ndim=2)):
    #! outer: R.Callable((R.Tensor((2, 3), dtype="float32"),), R.Callable((R.Tensor((2, 3), dtype="float32"),), R.Tensor((2, 3), dtype="float32"), True), True)
        @R.function
        def inner(y: R.Tensor((2, 3), "float32")):
        #! inner: R.Callable((R.Tensor((2, 3), dtype="float32"),), R.Tensor((2, 3), dtype="float32"), True)
            return R.add(y, c)
            #! gv: R.Tensor((2, 3), dtype="float32")

        return inner
        #!     ^^^^^ warning[RLX0354]: the function is declared to return R.Callable((R.Tensor(ndim=2),), R.Tensor(ndim=2), True), but the value is only known to be R.Callable((R.Tensor((2, 3), dtype="float32"),), R.Tensor((2, 3), dtype="float32"), True): the dtype is not known, expected float32
        #!     line 24: declared here

    f = outer(x)
    #! f: R.Callable((R.Tensor((2, 3), dtype="float32"),), R.Tensor((2, 3), dtype="float32"), True)
    return f(x)
    #! gv: R.Tensor((2, 3), dtype="float32")
