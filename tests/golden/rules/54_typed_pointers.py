# In 0.27 what T.let gives a name has the type that is written: a handle of which nothing is known is no T.Ptr.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, h: T.handle("float32"), n: T.int64):
        A = T.match_buffer(a, (8,), "float32")
        p: T.let[T.Ptr[T.float32]] = a
        q: T.let[T.Ptr[T.int8]] = T.reinterpret("handle", n)
        r: T.let[T.handle] = T.call_extern("handle", "f")
        s: T.let[T.Ptr[T.float32]] = r
        t: T.let = T.call_pure_extern("handle", "f", h)
        u: T.let[T.handle] = t
        v: T.let[T.handle("float32")] = t
        w: T.let[T.Ptr[T.float32]] = h
        x: T.let = A.data
        y: T.let[T.Ptr[T.float32]] = x
        z: T.let[T.Ptr[T.float32]] = T.address_of(A[0])
        T.evaluate(0)

    @R.function
    def other(x: R.Any) -> R.Any:
        return x
