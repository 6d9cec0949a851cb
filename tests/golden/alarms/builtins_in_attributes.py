# A call of Python's own in an attribute of a PrimFunc writes no buffer: the function that asks it stays pure.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Asks:
    @T.prim_func(private=True)
    def width(n: T.int64) -> T.int64:
        T.func_attr({"tirx.is_host_func": True, "lengths": [len("ab") for _ in range(3)]})
        return n * T.int64(2)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Prim("int64"):
        y = Asks.width(R.prim_value(4))
        return y
