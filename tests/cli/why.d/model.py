from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor(("k", 4), "float32")) -> R.Tensor(("k", 4), "float32"):
        gv = R.nn.relu(x)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 3), "float32"), u: R.Tensor("float32"), b: R.Tensor((), "bool")):
        cls = Module
        n = T.int64()
        lv = cls.helper(x)
        lv1 = R.matmul(lv, w)
        lv2 = R.add(R.exp(lv1), lv1)
        m = T.int64()
        lv3 = R.match_cast(R.unique(u), R.Tensor((m,), "float32"))
        lv4: R.Tensor(ndim=1, dtype="float32") = lv3 + R.const(1.0)
        lv5 = R.concat((lv3, lv3), axis=0)
        lv6 = R.permute_dims(lv2, axes=[1, 0])
        if b:
            lv7 = lv6
        else:
            lv7 = R.reshape(lv2, R.shape([3, n]))
        return (lv7, lv5)
