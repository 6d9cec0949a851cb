# What a function of the module takes as argument in 0.27, and R.tuple; Python's strings of which no more is known.
from tvm.script import ir as I, relax as R, tirx as T
import tvm


@I.ir_module
class Module:
    @R.function
    def first(x: R.Any, y: R.Any) -> R.Any:
        return x

    @R.function
    def numbers(x: R.Tensor((2,), "float32")) -> R.Any:
        a = Module.first(x, 3)
        #!                  ^ error[RLX0442]: the Python int 3 is not a Relax value
        #!     fix: write it as `R.prim_value(…)`
        #! a: R.Object
        b = Module.first(2.5, x)
        #!               ^^^ error[RLX0442]: the Python float 2.5 is not a Relax value
        #!     fix: write it as `R.prim_value(…)`
        #! b: R.Object
        c = Module.first(x, x is None)
        #!                  ^^^^^^^^^ error[RLX0442]: `False` is not a Relax value
        #!     fix: write it as `R.prim_value(…)`
        #!                  ^^^^^^^^^ warning[RLX0449]: `is` looks at the Python objects here: the result is the constant False
        #! c: R.Object
        d = Module.first(R.prim_value(3), (x, x))
        #! d: R.Object
        return a

    @R.function
    def strings(x: R.Tensor((2,), "float32"), f: R.Callable((R.Any,), R.Any)) -> R.Any:
        a = Module.first(x, repr(x))
        #!                  ^^^^^^^ error[RLX0442]: a string is not a Relax value
        #!     fix: write it as `R.str(…)`
        #! a: R.Object
        b = f("text")
        #! b: R.Object
        c = f(str(x))
        #! c: R.Object
        return b

    @R.function
    def tuples(x: R.Tensor((2,), "float32")) -> R.Any:
        a = R.tuple(x, fields=x)
        #!             ^^^^^^ error[RLX0424]: R.tuple has no parameter `fields`
        #! a: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32"))
        b = R.to_vdevice(x, tvm.ir.VDevice("cuda", 0, "global"))
        #!                         ^^^^^^^ error[RLX0203]: `tvm.ir.VDevice` does not exist
        #! b: R.Tensor((2,), dtype="float32")
        return a


@R.function
def bounded(x: R.Tensor((4, min(7, T.float32(1))), "float32"), y: R.Tensor((max(T.int64(2), 5),), "float32"), nothing: T.void):
#!                          ^^^^^^^^^^^^^^^^^^^^ error[RLX0362]: the floating-point number `T.float32(1.0)` is not a dimension: expected an integer or a symbolic integer
    z = R.add(y, R.zeros((6,), "float32"))
    #!           ^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((6,), dtype="float32")
    #! z: R.Tensor(dtype="float32", ndim=1)
    return z


@T.prim_func
def declared(a: T.Buffer((4,), "int32")):
    n: {0: T.let[T.int32]}[0] = 3
    a[0] = n
