from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def gather(A: T.Buffer((4,), "float32"), J: T.Buffer((3,), "int64"), B: T.Buffer((3,), "float32")):
        for k in range(3):
            B[k] = A[J[k]]

    @R.function
    def picked(x: R.Tensor((4,), "float32"), i: R.Tensor((3,), "int64")):
        cls = Module
        y = R.call_tir(cls.gather, (x, i), out_sinfo=R.Tensor((3,), "float32"))
        return y

    @R.function
    def checked(x: R.Tensor(("n", 2), "float32"), y: R.Tensor(("n * 2",), "float32")):
        z = R.add(R.flatten(x), y)
        return z

    @R.function(pure=False)
    def asserted(x: R.Tensor((), "float32")):
        c = R.less(x, R.const(3.0, "float32"))
        _ = R.assert_op(c, format="x is too large")
        return x

    @R.function
    def sized(x: R.Tensor((1,), "int64")):
        n = T.int64()
        s = R.tensor_to_shape(x)
        t = R.match_cast(s, R.Shape([n]))
        y = R.zeros((n,), "float32")
        return y
