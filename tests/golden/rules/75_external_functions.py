# R.ExternFunc takes a name and the annotation of a function, in a module's class as in a function.
from tvm.script import ir as I, relax as R


@I.ir_module
class Right:
    ext = R.ExternFunc("f", R.Callable((R.Object,), R.Object))
    other = R.ExternFunc("g", None)

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class NamesDtype:
    ext = R.ExternFunc("f", "float32")
    #!                      ^^^^^^^^^ error[RLX0446]: R.ExternFunc: `struct_info` is the string "float32", expected an annotation or None

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class NamesTensor:
    ext = R.ExternFunc("f", R.Tensor((2,)))
    #!                      ^^^^^^^^^^^^^^ error[RLX0446]: R.ExternFunc: `struct_info` is the annotation R.Tensor((2,)), expected the annotation of a function, `R.Callable(…)`

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@R.function(pure=False)
def inside(x: R.Tensor((2,), "float32")):
    y = R.ExternFunc("f", R.Shape([2]))(x)
    #!                    ^^^^^^^^^^^^ error[RLX0446]: R.ExternFunc: `struct_info` is the annotation R.Shape([2]), expected the annotation of a function, `R.Callable(…)`
    #! y: R.Object
    return x
