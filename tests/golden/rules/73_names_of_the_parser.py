# R of `tvm.script` has not all that R of `tvm.script.parser` has.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((4,), I.Range(4))]})

    @R.function
    def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
    #!            ^^^^^^^ warning[RLX0203]: `R.DTensor` does not exist; `from tvm.script.parser import relax as R` has it
        y = R.sum(x, axis=5)
        #!                ^ error[RLX0305]: R.sum: axis 5 is out of range for rank 2: expected -2 to 1
        #!     fix: change to `1`
        #! y: R.Tensor(dtype="float32")
        return y
