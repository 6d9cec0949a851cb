# rlx-golden: check
# Values of Relax have the members that TVM's objects have.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def main(x: R.Tensor((2, 3), "float32"), t: R.Tuple(R.Tensor((2,), "float32")), s: R.Shape([2])):
    a = R.reshape(x, (x.struct_info.shape[1], x.struct_info.shape[0]))
    b = R.reshape(x, (x.ty.shape[1], 2))
    #!                  ^^ error[RLX0203]: `R.Tensor((2, 3), dtype="float32").ty` does not exist
    c = R.astype(x, t.dtype)
    #!                ^^^^^ error[RLX0203]: `R.Tuple(R.Tensor((2,), dtype="float32")).dtype` does not exist
    d = R.reshape(x, s.shape)
    #!                 ^^^^^ error[RLX0203]: `R.Shape([2]).shape` does not exist
    e = R.str(x.name_hint)
    f = R.const(bool(x.span is None))
    g = R.const(bool(x.name is None))
    #!                 ^^^^ error[RLX0203]: `R.Tensor((2, 3), dtype="float32").name` does not exist
    h = R.call_pure_packed("f", x, sinfo_args=R.Tensor((2,), "float32"))
    return h
