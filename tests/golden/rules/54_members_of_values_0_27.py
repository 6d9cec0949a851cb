# rlx-golden: check
# From 0.26 on a value has a type, and its name is another member.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def main(x: R.Tensor((2, 3), "float32"), t: R.Tuple(R.Tensor((2,), "float32")), s: R.Shape([2])) -> R.Any:
    a = R.reshape(x, (x.struct_info.shape[1], x.struct_info.shape[0]))
    #!                  ^^^^^^^^^^^ error[RLX0203]: `R.Tensor((2, 3), dtype="float32").struct_info` does not exist
    b = R.reshape(x, (x.ty.shape[1], 2))
    c = R.astype(x, t.dtype)
    #!                ^^^^^ error[RLX0203]: `R.Tuple(R.Tensor((2,), dtype="float32")).dtype` does not exist
    d = R.reshape(x, s.shape)
    #!                 ^^^^^ error[RLX0203]: `R.Shape([2]).shape` does not exist
    e = R.const(str(x.name_hint), "float32")
    #!                ^^^^^^^^^ error[RLX0203]: `R.Tensor((2, 3), dtype="float32").name_hint` does not exist
    f = R.const(bool(x.span is None))
    g = R.const(bool(x.name is None))
    h = R.call_pure_packed("f", x, ty_args=R.Tensor((2,), "float32"))
    return h
