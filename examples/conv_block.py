# A small residual block of a convolutional network, NCHW, with symbolic height and width.
#
# Hover over `pooled`: its height (h - 2) // 2 + 1 is simplified to h // 2 by the prover.
#
#   rlx run examples/conv_block.py::main 'x=1x2x6x6:float32:random(1)' 'w1=4x2x3x3:float32:random(2)' \
#       'b1=1x4x1x1:float32:random(3)' 'w2=4x4x3x3:float32:random(4)' 'skip=4x2x1x1:float32:random(5)'
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((1, 2, "h", "w"), "float32"),
        w1: R.Tensor((4, 2, 3, 3), "float32"),
        b1: R.Tensor((1, 4, 1, 1), "float32"),
        w2: R.Tensor((4, 4, 3, 3), "float32"),
        skip: R.Tensor((4, 2, 1, 1), "float32"),
    ) -> R.Tensor(dtype="float32", ndim=4):
        with R.dataflow():
            c1 = R.nn.conv2d(x, w1, strides=[1, 1], padding=[1, 1, 1, 1])
            a1 = R.nn.relu(R.add(c1, b1))
            c2 = R.nn.conv2d(a1, w2, strides=[1, 1], padding=[1, 1, 1, 1])
            s = R.nn.conv2d(x, skip)
            both = R.nn.relu(R.add(c2, s))
            pooled = R.nn.max_pool2d(both, pool_size=[2, 2], strides=[2, 2])
            gv = R.mean(pooled, axis=[2, 3], keepdims=True)
            R.output(gv)
        return gv

    @R.function
    def normalized(
        x: R.Tensor((2, 3, 4, 4), "float32"),
        gamma: R.Tensor((3,), "float32"),
        beta: R.Tensor((3,), "float32"),
        moving_mean: R.Tensor((3,), "float32"),
        moving_var: R.Tensor((3,), "float32"),
    ) -> R.Tensor((2, 3, 2, 2), "float32"):
        with R.dataflow():
            bn = R.nn.batch_norm(x, gamma, beta, moving_mean, moving_var, axis=1, epsilon=1e-5)
            y = bn[0]
            gv = R.nn.avg_pool2d(y, pool_size=[2, 2], strides=[2, 2])
            R.output(gv)
        return gv
