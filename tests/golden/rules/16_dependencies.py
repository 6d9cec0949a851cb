# rlx-golden: check
# Rule 16: dependencies through StructInfo count as uses: what an annotation names must stand above it.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def reordered(x: R.Tensor(ndim=1, dtype="float32")):
    y: R.Tensor(s, "float32") = R.call_pure_packed("f", x, sinfo_args=R.Tensor(ndim=1, dtype="float32"))
    #!          ^ error[RLX0201]: `s` is not defined
    #!     line 9: it is bound here, below its use
    s = R.shape_of(x)
    return y


@R.function
def reordered_shape_function(z: R.Tensor(ndim=1, dtype="float32")):
    x: R.Tensor(ndim=1, dtype="float32") = R.call_dps_packed("f", (z,), R.Tensor(s, "float32"))
    #!                                                                           ^ error[RLX0201]: `s` is not defined
    #!     line 16: it is bound here, below its use
    s: R.Shape(ndim=1) = R.call_pure_packed("shape_func", z, sinfo_args=R.Shape(ndim=1))
    return x


@R.function
def removed(x: R.Tensor(ndim=1, dtype="float32")):
    y: R.Tensor(s, "float32") = R.call_pure_packed("f", x, sinfo_args=R.Tensor(ndim=1, dtype="float32"))
    #!          ^ error[RLX0201]: `s` is not defined
    #!     fix: change to `x`
    return y


@R.function
def cast_below(x: R.Tensor(ndim=1, dtype="float32")):
    m = T.int64()
    y = R.zeros((m,), "float32")
    #!           ^ error[RLX0208]: symbolic variable `m` has no value: no parameter and no match_cast above has it as a dimension by itself
    x1 = R.match_cast(x, R.Tensor((m,), "float32"))
    return y


@R.function
def right(x: R.Tensor(ndim=1, dtype="float32")):
    with R.dataflow():
        s: R.Shape(ndim=1) = R.shape_of(x)
        y: R.Tensor(s, "float32") = R.zeros(s, "float32")
        z = R.abs(y)
        R.output(s, z)
    return z
