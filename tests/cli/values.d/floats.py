from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def fn(x: R.Tensor(("n",), "float32")):
        y = R.astype(x, "float8_e4m3fn")
        return y

    @R.function
    def twice(x: R.Tensor(("n",), "float32")):
        y = R.astype(x, "float8_e4m3fn")
        z = R.add(y, y)
        w = R.astype(z, "float32")
        return w

    @R.function
    def e5m2(x: R.Tensor(("n",), "float32")):
        y = R.astype(x, "float8_e5m2")
        return R.multiply(y, R.const(3.0, "float8_e5m2"))

    @R.function
    def double(x: R.Tensor(("n",), "float64")):
        return R.astype(x, "float16")

    @R.function
    def total(x: R.Tensor((3,), "float8_e4m3fn"), y: R.Tensor((3,), "bfloat16")):
        a = R.sum(R.astype(x, "bfloat16"))
        return R.add(a, R.sum(y))
