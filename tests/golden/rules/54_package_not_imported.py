# rlx-golden: check
# A file that imports R is run by Python: the package that a decorator names has to be imported, too.
from tvm.script import relax as R


@tvm.script.ir_module
#! 1-4 error[RLX0201]: `tvm` is not defined
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x
