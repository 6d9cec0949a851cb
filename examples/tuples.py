# Tuples: several results, taken apart by index, nested, and put together again.
#
#   rlx run examples/tuples.py::main 'x=2x6:float32:random(1)'
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 6), "float32"),
    ) -> R.Tuple(
        R.Tensor(("n", 4), "float32"),
        R.Tuple(R.Tensor(("n", 1), "float32"), R.Tensor(("n",), "int64")),
    ):
        with R.dataflow():
            parts = R.split(x, indices_or_sections=[1, 5], axis=1)
            head = parts[0]
            middle = parts[1]
            best = R.argmax(middle, axis=1)
            pair = (head, best)
            R.output(middle, pair)
        return (middle, pair)

    @R.function
    def swap(
        p: R.Tuple(R.Tensor(("n",), "float32"), R.Tensor(("m",), "float32")),
    ) -> R.Tuple(R.Tensor(("m",), "float32"), R.Tensor(("n",), "float32")):
        a = p[0]
        b = p[1]
        return (b, a)
