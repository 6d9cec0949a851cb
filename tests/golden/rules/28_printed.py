# An annotation that can't be decided is a hint where the text says itself that TVM printed it: the imports that its printer
# leaves out stand above as comments, with nothing but comments, imports and symbolic variables between.
# from tvm.script import ir as I
# from tvm.script import relax as R

import tvm  # imports may follow
from tvm.script import (
    ir as I,
    relax as R,
)

n = TypeVar("n")


@I.ir_module
class Printed:
    @R.function
    def main(x: R.Tensor("float32", ndim=2)):
        a: R.Tensor((2, 3), "float32") = R.abs(x)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0351]: annotated as R.Tensor((2, 3), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
        #!     fix: check it with `R.match_cast`
        #! a: R.Tensor((2, 3), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=2))
        return a

    @R.function
    def second(x: R.Tensor("float32", ndim=2)) -> R.Tensor((2, 3), "float32"):
        return x
        #!     ^ hint[RLX0354]: the function is declared to return R.Tensor((2, 3), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
        #!     line 23: declared here


# Written by hand, though all calls have annotations.
@R.function
def written(x: R.Tensor("float32", ndim=2)) -> R.Tensor((2, 3), "float32"):
    a: R.Tensor((2, 3), "float32") = R.abs(x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((2, 3), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
    #!     fix: check it with `R.match_cast`
    #! a: R.Tensor((2, 3), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=2))
    b: R.Tensor((2, 3), "float32") = R.abs(a)
    #! b: R.Tensor((2, 3), dtype="float32")
    return x
    #!     ^ warning[RLX0354]: the function is declared to return R.Tensor((2, 3), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
    #!     line 29: declared here


def test_more():
    # from tvm.script import relax as R
    @R.function
    def inside(x: R.Tensor("float32", ndim=2)):
        a: R.Tensor((2, 3), "float32") = R.abs(x)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0351]: annotated as R.Tensor((2, 3), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
        #!     fix: check it with `R.match_cast`
        #! a: R.Tensor((2, 3), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=2))

        @R.function
        def local(y: R.Tensor("float32", ndim=2)) -> R.Tensor((4, 3), "float32"):
        #! local: R.Callable((R.Tensor(dtype="float32", ndim=2),), R.Tensor((4, 3), dtype="float32"), True)
            return y
            #!     ^ hint[RLX0354]: the function is declared to return R.Tensor((4, 3), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
            #!     line 42: declared here

        return local(a)
        #! gv: R.Tensor((4, 3), dtype="float32")

    # from tvm.script import relax as R: what follows is no import, and says nothing of the function below
    other = 3

    @R.function
    def after(x: R.Tensor("float32", ndim=2)):
        a: R.Tensor((2, 3), "float32") = R.abs(x)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((2, 3), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
        #!     fix: check it with `R.match_cast`
        #! a: R.Tensor((2, 3), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=2))
        return a

    text = "# from tvm.script import relax as R"

    @R.function
    def string(x: R.Tensor("float32", ndim=2)):
        a: R.Tensor((2, 3), "float32") = R.abs(x)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((2, 3), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
        #!     fix: check it with `R.match_cast`
        #! a: R.Tensor((2, 3), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=2))
        return a


# from tvm.script import relax as R
@R.function
def refuted(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 4), "float32"):
    return x
    #!     ^ error[RLX0353]: the function is declared to return R.Tensor((2, 4), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): dimension 1 is 3, expected 4
    #!     line 65: declared here
    #!     fix: declare what is returned
