# Functions that call each other: StructInfo crosses the call.
#
# `layer` has its own symbolic n and m. At `first` they are bound to (2 * n, 4); at `second` to (2 * n, 8). Go to
# definition works on `cls.layer`; find references on `layer` lists both calls.
#
#   rlx run examples/two_functions.py::main 'x=3x4:float32:random(1)' 'w1=4x8:float32:random(2)' \
#                                           'w2=8x2:float32:random(3)'
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(private=True)
    def layer(
        x: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("m", "k"), "float32")
    ) -> R.Tensor(("n", "k"), "float32"):
        with R.dataflow():
            lv = R.matmul(x, w)
            gv = R.nn.silu(lv)
            R.output(gv)
        return gv

    @R.function(private=True)
    def twice(
        x: R.Tensor(("n", "m"), "float32"),
    ) -> R.Tensor(("n * 2", "m"), "float32"):
        gv = R.concat((x, x), axis=0)
        return gv

    @R.function
    def main(
        x: R.Tensor(("n", 4), "float32"),
        w1: R.Tensor((4, 8), "float32"),
        w2: R.Tensor((8, 2), "float32"),
    ) -> R.Tensor(("n * 2", 2), "float32"):
        cls = Module
        with R.dataflow():
            doubled = cls.twice(x)
            first = cls.layer(doubled, w1)
            second = cls.layer(first, w2)
            R.output(second)
        return second
