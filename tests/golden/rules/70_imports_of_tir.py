# Imports of a package that the TVM of these functions does not have any more.
import tvm.tir
#!     ^^^^^^^ error[RLX0203]: `tvm.tir` does not exist; it became `tvm.tirx`
from tvm import relax, tir
#!                     ^^^ error[RLX0203]: `tvm.tir` does not exist; it became `tvm.tirx`
from tvm.tir.stmt_functor import substitute
#!                               ^^^^^^^^^^ error[RLX0203]: `tvm.tir` does not exist; it became `tvm.tirx`
from tvm.script import ir as I, relax as R, tirx as T

try:
    from tvm import tir as other
except ImportError:
    other = None


@T.prim_func(s_tir=True)
def zeros(A: T.Buffer((3,), "float32")):
    for i in range(3):
        with T.sblock("zeros"):
            v = T.axis.spatial(3, i)
            A[v] = T.float32(0)


@R.function
def inner_modules(x: R.Tensor((3,), "float32")):
    y = R.nn.nn.relu(x)
    #! y: R.Tensor((3,), dtype="float32")
    return y


@R.function
def not_imported(x: R.Tensor((3,), "float32")):
    y = rx.add(x, x)
    #!  ^^ error[RLX0201]: `rx` is not defined; did you mean `x`?
    #!     fix: change to `x`
    #! y: R.Object
    return x


@R.function(pure=False)
def annotations_as_values(x: R.Tensor((3,), "float32")):
    y = R.call_packed("f", x, (x, R.Object), sinfo_args=R.Object)
    #!                     ^^^^^^^^^^^^^^^^ error[RLX0301]: R.call_packed expects expressions as `args`, found `R.Object`
    #! y: R.Object
    return x
