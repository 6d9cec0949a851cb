# The functions of a class that @rx.script decorates have no decorator of their own; what a result declared a Shape returns in parentheses is one.
from __future__ import annotations
import tvm
from tvm import relax as rx
from tvm.script import tir as T


@rx.script
class Mod:
    @T.prim_func
    def twice(a: T.handle, b: T.handle):
        n = T.var("int32")
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        for i in range(n):
            with T.block("twice"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi] * T.float32(2)

    def double(x: Tensor[(n,), "float32"]) -> Tensor:
        y = relax.call_tir(twice, (x,), (n,), dtype="float32")
        #! y: R.Tensor((n,), dtype="float32")
        z = add(y, x)
        #! z: R.Tensor((n,), dtype="float32")
        return z

    def grown(x: Tensor[_, "float32"]) -> Shape:
        relax.match_shape(x.shape, (n, m))
        #!                ^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Shape(ndim=-1)
        #! _: R.Shape([n, m])   (deduced R.Shape(ndim=-1))
        return (n * 2, m)
