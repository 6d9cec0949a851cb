from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Results:
    @T.prim_func(private=True, s_tir=True)
    def scalar(a: T.handle) -> R.Prim("int32"):
        T.evaluate(0)

    @T.prim_func(private=True, s_tir=True)
    def tensor(a: T.handle) -> R.Tensor((2,), "float16"):
        T.evaluate(0)

    @T.prim_func(private=True, s_tir=True)
    def nothing(a: T.handle) -> R.Tuple():
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((2,), "float16")) -> R.Tensor((2,), "float16"):
        R.func_attr({"relax.force_pure": True})
        cls = Results
        n = cls.scalar(x)
        cls.nothing(x)
        cls.tensor(x)
        return x
