from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def copy(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 4), "float32")
        B = T.match_buffer(b, (n, 4), "float32")
        for i, j in T.grid(n, 4):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), o: R.Object, u: R.Tensor("float32")):
        cls = Module
        n = T.int64()
        m = T.int64()
        z = R.exp(x)
        a: R.Tensor(ndim=2, dtype="float32") = R.exp(x)
        b: R.Tensor((m, n), "float32") = R.exp(x)
        c: R.Tensor((m,), "float32") =R.unique(u)
        d: R.Tensor((m,), "float32") = o
        e: R.Object = (R.exp(x))
        f = R.call_tir(cls.copy, (x,), out_sinfo=R.Tensor((n, 4), "float32"))
        return (a, b, c, d, e)
