# Softmax and RMS normalisation written out from reductions, next to the operators of that name.
#
# Each function returns the largest difference between the two: zero, or nearly.
#
#   rlx run examples/rms_norm.py::softmax 'x=2x5:float32:random(1)'
#   rlx run examples/rms_norm.py::rms_norm 'x=2x4:float32:random(1)' 'weight=4:float32:random(2)'
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def softmax(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor((), "float32"):
        with R.dataflow():
            largest = R.max(x, axis=[-1], keepdims=True)
            shifted = R.subtract(x, largest)
            e = R.exp(shifted)
            total = R.sum(e, axis=[-1], keepdims=True)
            by_hand = R.divide(e, total)
            built_in = R.nn.softmax(x, axis=-1)
            gv = R.max(R.abs(R.subtract(by_hand, built_in)))
            R.output(gv)
        return gv

    @R.function
    def rms_norm(
        x: R.Tensor(("n", 4), "float32"), weight: R.Tensor((4,), "float32")
    ) -> R.Tensor((), "float32"):
        with R.dataflow():
            squares = R.multiply(x, x)
            mean = R.mean(squares, axis=[-1], keepdims=True)
            root = R.sqrt(R.add(mean, R.const(1e-5, "float32")))
            by_hand = R.multiply(R.divide(x, root), weight)
            built_in = R.nn.rms_norm(x, weight, axes=[-1], epsilon=1e-5)
            gv = R.max(R.abs(R.subtract(by_hand, built_in)))
            R.output(gv)
        return gv

    @R.function
    def layer_norm(
        x: R.Tensor(("n", 4), "float32"),
        gamma: R.Tensor((4,), "float32"),
        beta: R.Tensor((4,), "float32"),
    ) -> R.Tensor(("n", 4), "float32"):
        gv = R.nn.layer_norm(x, gamma, beta, axes=[-1], epsilon=1e-5)
        return gv
