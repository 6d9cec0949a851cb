from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @R.function
    def callee(a: R.Tensor, k: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        b: R.Tensor((n, 4), "float32") = R.exp(a)
        return b

    @R.function
    def branches(x: R.Tensor, u: R.Tensor(ndim=2), w: R.Tensor((4, 8), "float32"), c: R.Tensor((), "bool"), n1: R.Tensor(("n",), "float32")):
        n = T.int64()
        if c:
            p = R.exp(x)
            q = R.matmul(u, w)
            z = R.negative(p)
        else:
            q = R.matmul(u, w)
            z = R.sqrt(x)
        out: R.Tensor((n, 4), "float32") = R.exp(z)
        return out

    @R.function
    def nested(x: R.Tensor, y: R.Tensor, v: R.Tensor(("n", 4), "float32")):
        n = T.int64()

        @R.function
        def inner(t: R.Tensor) -> R.Tensor((8, 4), "float32"):
            s: R.Tensor((8, 4), "float32") = R.add(R.exp(t), R.const(1.0, "float32"))
            yy: R.Tensor((8, 4), "float32") = R.exp(y)
            return s
        r = inner(x)
        return r

    @R.function
    def through(x: R.Tensor, v: R.Tensor(("m", 4), "float32")):
        cls = Module
        a = cls.callee(x, v)
        return a

    @R.function
    def uncalled(x: R.Tensor, y: R.Tensor, c: R.Tensor((), "bool")):
        @R.function
        def inner(t: R.Tensor) -> R.Tensor((8, 4), "float32"):
            s: R.Tensor((8, 4), "float32") = R.exp(x)
            return s
        if c:
            z: R.Tensor((8, 4), "float32") = inner(y)
        else:
            z = R.match_cast(y, R.Tensor((8, 4), "float32"))
        return z

    @R.function
    def conv(x: R.Tensor, w: R.Tensor((16, 3, 3, 3), "float32"), c: R.Tensor, a: R.Tensor, b: R.Tensor):
        y: R.Tensor((2, 16, 30, 30), "float32") = R.nn.conv2d(x, w)
        z: R.Tensor((2, 16), "float32") = R.where(c, a, b)
        return y

    @R.function
    def windows(x: R.Tensor, w: R.Tensor, g: R.Tensor, p: R.Tensor, t: R.Tensor, i: R.Tensor(("k",), "int64")):
        n = T.int64()
        k = T.int64()
        x0 = R.match_cast(x, R.Tensor((n, 3, 32, 32), "float32"))
        y: R.Tensor((n, 16, 17, 17), "float32") = R.nn.conv2d(x0, w, strides=2, padding=[2, 2], groups=1)
        q: R.Tensor((n, 16, 17, 17), "float32") = R.nn.max_pool2d(p, pool_size=[3, 3], padding=[1, 1])
        z: R.Tensor((n, 8), "float32") = R.nn.layer_norm(R.call_pure_packed("f", x, sinfo_args=R.Tensor((n, 8), "float32")), g, g, axes=[-1])
        v: R.Tensor((k, 8), "float16") = R.take(t, i, axis=0)
        u: R.Tensor((2, 6, 31, 31), "float32") = R.nn.conv2d_transpose(p, w, strides=2)
        return y
