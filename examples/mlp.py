# A two-layer perceptron with a symbolic batch size: the place to start.
#
# Hover over `h`, `lv` or `gv`: the batch size `n` of the signature is carried through every operator.
#
#   rlx check examples/mlp.py
#   rlx infer examples/mlp.py
#   rlx run examples/mlp.py::main 'x=2x4:float32:random(1)' 'w1=4x8:float32:random(2)' 'b1=8:float32:random(3)' \
#                                 'w2=8x3:float32:random(4)' 'b2=3:float32:random(5)'
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 4), "float32"),
        w1: R.Tensor((4, 8), "float32"),
        b1: R.Tensor((8,), "float32"),
        w2: R.Tensor((8, 3), "float32"),
        b2: R.Tensor((3,), "float32"),
    ) -> R.Tensor(("n", 3), "float32"):
        with R.dataflow():
            lv = R.matmul(x, w1)
            lv1 = R.add(lv, b1)
            h = R.nn.relu(lv1)
            lv2 = R.matmul(h, w2)
            lv3 = R.add(lv2, b2)
            gv = R.nn.softmax(lv3, axis=-1)
            R.output(gv)
        return gv

    @R.function
    def demo() -> R.Tensor((2, 3), "float32"):
        # No inputs: `rlx run examples/mlp.py::demo` prints two rows of three probabilities.
        cls = Module
        x = R.ones((2, 4), dtype="float32")
        w1 = R.full((4, 8), R.const(0.5, "float32"), dtype="float32")
        b1 = R.zeros((8,), dtype="float32")
        w2 = R.full((8, 3), R.const(0.25, "float32"), dtype="float32")
        b2 = R.arange(0, 3, 1, dtype="float32")
        gv = cls.main(x, w1, b1, w2, b2)
        return gv
