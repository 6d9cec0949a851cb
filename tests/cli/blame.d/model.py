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
    def helper(x: R.Tensor(("k", 4), "float32"), y: R.Tensor(("k",), "float32")) -> R.Tensor(("k", 4), "float32"):
        return x

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor(("n + 1",), "float32")) -> R.Tensor(("n * 2 + 1", 4), "float32"):
        cls = Module
        n = T.int64()
        a = cls.helper(x, w)
        b = R.call_tir(cls.copy, (x,), out_sinfo=R.Tensor((n + 1, 4), "float32"))
        c = R.concat((x, R.zeros((n, 5), "float32")), axis=0)
        d = R.matmul(w, R.zeros((n, 4), "float32"))
        e: R.Tensor((n + 1, 4), "float32") = R.exp(x)
        f = R.match_cast(x, R.Tensor((n + 2, 4), "float32"))
        g = R.reshape(x, (n + 1, 4))
        i = R.concat((x, x), axis=0)
        j = R.add(w, R.zeros((3,), "float32"))
        return i
