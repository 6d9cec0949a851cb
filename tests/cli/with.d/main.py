from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def doubled(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        y = R.call_pure_packed("my.double", x, sinfo_args=R.Tensor((n,), "float32"))
        return y

    @R.function
    def filled(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        y = R.call_dps_packed("my.fill", (x,), out_sinfo=R.Tensor((n,), "float32"))
        return y

    @R.function
    def pair(x: R.Tensor((2,), "float32")):
        y = R.call_dps_packed("my_pair", (x,), out_sinfo=[R.Tensor((2,), "float32"), R.Tensor((2,), "int32")])
        return y

    @R.function(pure=False)
    def effect(x: R.Tensor((2,), "float32")):
        _ = R.call_packed("my_fail", x, R.prim_value(3), R.str("text"), sinfo_args=R.Tuple([]))
        return x

    @R.function(pure=False)
    def libc(x: R.Tensor((2,), "float32")):
        _ = R.call_packed("abort", x, sinfo_args=R.Tuple([]))
        return x

    @R.function(pure=False)
    def shape(x: R.Tensor((2,), "float32")):
        _ = R.call_packed("my_fail", R.shape([2]), sinfo_args=R.Tuple([]))
        return x
