from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def ewise(x: R.Tensor, y: R.Tensor(("m", "n"), "float32")):
        m = T.int64()
        n = T.int64()
        with R.dataflow():
            lv0 = R.log(x)
            gv0: R.Tensor((m, n), "float32") = R.add(lv0, y)
            R.output(gv0)
        return gv0

    @R.function
    def callee(a: R.Tensor(("k", 4), "float32"), b: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        return b

    @R.function
    def others(x: R.Tensor(ndim=2), w: R.Tensor((4, 8), "float32"), c: R.Tensor(("n", 8), "float32"), u: R.Tensor(ndim=2), flag: R.Tensor((), "bool")) -> R.Tensor((3, "n"), "float32"):
        n = T.int64()
        cls = Module
        a = R.permute_dims(x, axes=[1, 0])
        b: R.Tensor((n, 8), "float32") = R.matmul(u, w)
        d = R.call_pure_packed("f", x, sinfo_args=R.Tensor())
        e = R.call_pure_packed("g", x, sinfo_args=R.Tensor(ndim=2))
        f = R.concat((c, e), axis=0)
        p = R.call_pure_packed("g", x, sinfo_args=R.Tensor())
        q = R.call_pure_packed("g", x, sinfo_args=R.Tensor())
        r = cls.callee(p, q)
        s = R.call_pure_packed("g", x, sinfo_args=R.Tensor())
        k = T.int64()
        t = R.match_cast(s, R.Tensor((k, n), "float16"))
        if flag:
            z = R.add(d, w)
        else:
            z = w
        return a
