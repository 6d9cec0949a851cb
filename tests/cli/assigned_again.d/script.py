from tvm.script import ir as I, relax as R, tirx as T
@I.ir_module(s_tir=True)
class M:
    @T.prim_func(s_tir=True, private=True)
    def sum_of(y: T.Buffer((16,), "float32"), x: T.Buffer((1,), "float32")):
        q = T.float32(0)
        for i in range(16):
            q = q + y[i]
        x[0] = q
    @T.prim_func(s_tir=True, private=True)
    def doubled(y: T.Buffer((16,), "float32"), x: T.Buffer((1,), "float32")):
        x = T.float32(0)
        for i in range(16):
            t = y[i] * T.float32(2)
            x = x[0] + t
    @T.prim_func(s_tir=True, private=True)
    def counted(y: T.Buffer((16,), "float32"), x: T.Buffer((1,), "float32")):
        k = 1
        while k < 5:
            k = k + 1
        x[0] = T.cast(k, "float32")
    @T.prim_func(s_tir=True, private=True)
    def chosen(y: T.Buffer((16,), "float32"), x: T.Buffer((1,), "float32")):
        q = y[0]
        if y[1] > T.float32(0):
            q = y[3]
        q += y[4]
        x[0] = q
    @R.function
    def main(y: R.Tensor((16,), "float32")):
        cls = M
        a = R.call_tir(cls.sum_of, (y,), out_sinfo=R.Tensor((1,), "float32"))
        b = R.call_tir(cls.doubled, (y,), out_sinfo=R.Tensor((1,), "float32"))
        c = R.call_tir(cls.counted, (y,), out_sinfo=R.Tensor((1,), "float32"))
        d = R.call_tir(cls.chosen, (y,), out_sinfo=R.Tensor((1,), "float32"))
        return (a, b, c, d)
