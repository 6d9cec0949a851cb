# A shape that depends on data: R.unique returns as many elements as it finds.
#
# Nothing is known of the length of `found` (hover: ndim=1). R.match_cast gives it the name `m`; from
# there on the analyzer knows that `weights`, `shifted` and `gv` have the same length.
#
#   rlx run examples/data_dependent.py::main 'x=[3,1,3,2,1]'
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "int64")) -> R.Tensor(dtype="float32", ndim=1):
        m = T.int64()
        found = R.unique(x, sorted=True)
        known = R.match_cast(found, R.Tensor((m,), "int64"))
        with R.dataflow():
            weights = R.ones(R.shape([m]), dtype="float32")
            values = R.astype(known, "float32")
            shifted = R.add(values, weights)
            total = R.sum(shifted, axis=[0], keepdims=True)
            gv = R.divide(shifted, total)
            R.output(gv)
        return gv

    @R.function
    def as_rows(x: R.Tensor(("n", "k"), "float32")) -> R.Tensor(("n", "k * 2"), "float32"):
        # The shape as a value: R.shape_of, and a match_cast that takes it apart.
        n, k = T.int64(), T.int64()
        s = R.shape_of(x)
        r: R.Shape([n, k]) = R.match_cast(s, R.Shape([n, k]))
        y = R.reshape(x, r)
        gv = R.concat((x, y), axis=1)
        return gv
