# Lengths of PrimFuncs that are no int64: compared by value. What can't be decided is a warning that says why.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(s_tir=True)
    def rows(a: T.handle, b: T.handle):
        k = T.int32()
        A = T.match_buffer(a, (k, 8), "float32")
        B = T.match_buffer(b, (k * 8,), "float32")
        T.evaluate(0)

    @T.prim_func(s_tir=True)
    def mixed(a: T.handle, b: T.handle):
        k = T.int32()
        m = T.int64()
        A = T.match_buffer(a, (k, m), "float32")
        B = T.match_buffer(b, (T.Cast("int64", k) + m, T.Cast("int32", m) + k), "float32")
        T.evaluate(0)

    @T.prim_func(s_tir=True)
    def free(a: T.handle, b: T.handle):
        k, r = T.int32(), T.int32()
        A = T.match_buffer(a, (k,), "float32")
        B = T.match_buffer(b, (k, r), "float32")
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), v: R.Tensor(("n",), "float32"), s: R.Shape(["p"])):
        n = T.int64()
        p = T.int64()
        a = R.call_tir(Module.rows, (x,), R.Tensor((n * 8,), "float32"))
        #! a: R.Tensor((n * 8,), dtype="float32")
        b = R.call_tir(Module.mixed, (x,), R.Tensor((n + 8, 8 + n), "float32"))
        #! b: R.Tensor((n + 8, 8 + n), dtype="float32")
        c = R.call_tir(Module.free, (v,), R.Tensor((n, p), "float32"))
        #! c: R.Tensor((n, p), dtype="float32")
        d = R.call_tir(Module.rows, (x,), R.Tensor((n * p,), "float32"))
        #!                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0450]: output 0 of `rows` is only known to be R.Tensor((n * p,), dtype="float32"), expected R.Tensor((n * 8,), dtype="float32"): dimension 0 is n * p, expected n * 8
        #!     line 8: this parameter of the PrimFunc
        #!     line 36: the callee's `k` is n, dimension 0 of this argument
        #! d: R.Tensor((n * p,), dtype="float32")
        e = R.call_tir(Module.rows, (x,), R.Tensor((n * 8 + 1,), "float32"))
        #!                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0440]: output 0 of `rows` is R.Tensor((n * 8 + 1,), dtype="float32"), expected R.Tensor((k * 8,), dtype="float32"): dimension 0 is n * 8 + 1, expected n * 8, the callee's k * 8 (17 against 16 for n = 2)
        #!     line 8: this parameter of the PrimFunc
        #!     line 37: the callee's `k` is n, dimension 0 of this argument
        #! e: R.Tensor((n * 8 + 1,), dtype="float32")
        return c
