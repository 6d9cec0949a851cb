# from tvm.script import relax as R
from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), u: R.Tensor(dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor(dtype="float32", ndim=2) = R.exp(x)
            lv1: R.Tensor((n, 4), dtype="float32") = R.add(lv, lv)
            lv2: R.Tensor((n + 1,), dtype="float32") = R.unique(u)
            gv: R.Tensor((n, 4), dtype="float32") = R.nn.relu(lv1)
            R.output(gv)
        return gv
