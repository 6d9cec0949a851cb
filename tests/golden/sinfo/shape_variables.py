# A shape variable of the body means nothing to callers: only the rank leaves the function (TVM's EraseToWellDefined).
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def inner(x: R.Tensor(dtype="float32", ndim=2)):
        s = R.shape_of(x)
        #! s: R.Shape(ndim=2)
        y: R.Tensor(s, "float32") = R.exp(x)
        #! ^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor(s, dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the shape is not known to be that variable's value
        #!     fix: check it with `R.match_cast`
        #! y: R.Tensor(s, dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=2))
        return y

    @R.function
    def outer(x: R.Tensor((2, 3), "float32")):
        y = Module.inner(x)
        #! y: R.Tensor(dtype="float32", ndim=2)
        return y
