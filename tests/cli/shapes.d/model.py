from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def linear(x: R.Tensor(("n", "k"), "float32"), w: R.Tensor(("k", "m"), "float32"), b: R.Tensor("float32")):
        n = T.int64()
        k = T.int64()
        m = T.int64()
        lv = R.matmul(x, w)
        lv1 = R.reshape(lv, (n * m,))
        gv = R.concat((lv1, lv1), axis=0)
        return gv

    @R.function
    def both(t: R.Tuple(R.Tensor(("n", 4), "float32"), R.Shape(["m"]))):
        n = T.int64()
        m = T.int64()
        x = t[0]
        z = R.zeros((m, n), "float32")
        return (x, (z, z))

    @R.function
    def depends_on_values(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        y = R.unique(x)
        return y

    @R.function
    def fixed():
        y = R.zeros((2, 3), "float32")
        return y
