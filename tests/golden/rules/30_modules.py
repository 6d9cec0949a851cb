# A module has one dict of attributes and one of global infos.
from tvm.script import ir as I, relax as R


@I.ir_module
class Twice:
    I.module_attrs({"a": 1})
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
    I.module_attrs({"a": 1})
#!  ^^^^^^^^^^^^^^ error[RLX0453]: `I.module_attrs` is given twice in this module
    #!     line 7: given here already

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x

    I.module_global_infos({"vdevice": [I.vdevice("cuda")]})
#!  ^^^^^^^^^^^^^^^^^^^^^ error[RLX0453]: `I.module_global_infos` is given twice in this module
    #!     line 8: given here already


@I.ir_module
class Once:
    I.module_attrs({"a": 1})
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})

    @R.function
    def main(x: R.Tensor((2,), "float32", "llvm")):
        return x
