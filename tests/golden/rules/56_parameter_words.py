# rlx-golden: check
# Messages name parameters as the function's dialect does: out_ty, ty_args, ty from 0.26 on.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def main(x: R.Tensor((3,), "float32"), f: R.Callable, n: R.Prim("int64")) -> R.Object:
    a = R.call_dps_packed("f", (x,), R.Tensor("float32", ndim=2))
    #!                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0327]: R.call_dps_packed: `out_sinfo` must be tensors with written-out shapes, found R.Tensor(dtype="float32", ndim=2)
    b = R.call_dps_packed("f", (x,), 4)
    #!                               ^ error[RLX0301]: R.call_dps_packed expects a StructInfo or a list of them as `out_sinfo`, found the int 4
    c = R.call_dps_packed("f", (x,))
    #!    ^^^^^^^^^^^^^^^ error[RLX0423]: R.call_dps_packed: argument `out_sinfo` is missing
    d = R.call_pure_packed("f", x)
    #!    ^^^^^^^^^^^^^^^^ error[RLX0423]: R.call_pure_packed: argument `sinfo_args` is missing
    e = R.match_cast(x)
    #!  ^^^^^^^^^^^^^^^ error[RLX0423]: R.match_cast: argument `struct_info` is missing
    g = R.match_cast(x, 3)
    #!                  ^ error[RLX0446]: R.match_cast: `struct_info` is the Python int 3, expected a StructInfo
    h = R.invoke_pure_closure(f, (x,))
    #!    ^^^^^^^^^^^^^^^^^^^ error[RLX0423]: R.invoke_pure_closure: argument `sinfo_args` is missing
    i = R.call_dps_packed("f", (x,), out_sinf=R.Tensor((3,), "float32"))
    #!                               ^^^^^^^^ error[RLX0424]: R.call_dps_packed has no parameter `out_sinf`; did you mean `out_sinfo`?
    #!     fix: change to `out_sinfo`
    return x
