# tlc-pack's words: `_` is not looked at even where a statement bound it, Void gives nothing, meta holds constants; what an opaque
# function gives has the dtype that is declared, or none.
from __future__ import annotations
import tvm
from tvm import relax
from tvm.script import tir as T, relax as R


@tvm.script.ir_module
class Module:
    @R.function
    def main(x: Tensor((n, 4), "float32"), s: Shape) -> Tensor:
        R.match_shape(s, (_, k))
        #! _: R.Shape([_0, k])   (deduced R.Shape(ndim=-1))
        R.match_shape(x, (m, _))
        #! _: R.Tensor((m, 4), dtype="float32")   (deduced R.Tensor((n, 4), dtype="float32"))
        a = R.match_shape(x, (_, 4))
        #! a: R.Tensor((n, 4), dtype="float32")
        b = R.call_packed("vm.builtin.note", x, type_args=(Void))
        #! b: R.Tuple
        c = relax.add(x, meta[relay.Constant][0])
        #! c: R.Tensor
        d = R.call_tir((n, 4), "opaque", (x,))
        #! d: R.Tensor((n, 4))
        e: Tensor((n, 4), "float16") = R.call_tir((n, 4), "opaque", (x,))
        #! e: R.Tensor((n, 4), dtype="float16")
        return a
