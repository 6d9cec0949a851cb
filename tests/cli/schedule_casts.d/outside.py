from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((128,), "int32"), C: T.Buffer((8,), "int32")):
        for i in range(8):
            with T.sblock("b"):
                v0 = T.axis.spatial(8, i)
                C[v0] = A[T.Cast("int32", T.Cast("int8", v0 * 64))] + 1

    @R.function
    def main(x: R.Tensor((128,), "int32")):
        cls = M
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((8,), "int32"))
        return y
