# The names that floats of 8 bits had until 0.19, in a script of that time and in one of today.
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Old:
    @T.prim_func
    def widen(A: T.Buffer((4,), "e4m3_float8"), B: T.Buffer((4,), "float16")):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = T.Cast("float16", A[vi] * T.e4m3_float8(2))

    @R.function
    def main(x: R.Tensor((4,), "e4m3_float8")) -> R.Tensor((4,), "float16"):
        cls = Old
        y = R.astype(x, "e5m2_float8")
        #! y: R.Tensor((4,), dtype="float8_e5m2")
        z = R.call_tir(cls.widen, (y,), out_sinfo=R.Tensor((4,), "float16"))
        #!                         ^ error[RLX0440]: input 0 of `widen` is R.Tensor((4,), dtype="float8_e5m2"), expected R.Tensor((4,), dtype="float8_e4m3fn"): the dtype is float8_e5m2, expected float8_e4m3fn
        #!     line 8: this parameter of the PrimFunc
        #! z: R.Tensor((4,), dtype="float16")
        return z
