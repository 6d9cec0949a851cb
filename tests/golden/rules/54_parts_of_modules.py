# rlx-golden: check
# What the parts of a module's body take.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Right:
    I.module_attrs({"a": 1, "b": [2, "c"]})
    I.module_global_infos({"vdevice": [I.vdevice("cuda", 0), I.vdevice("llvm", 0, "global"), I.vdevice({"kind": "metal"})]})

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Right
        y = cls["other"](x)
        #!  ^^^^^^^^^^^^ error[RLX0358]: only tuples can be indexed, found a module
        return y

    @R.function
    def other(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class Attributes:
    I.module_attrs({1: "a"})
    #!              ^ error[RLX0446]: I.module_attrs: `attrs` is the Python int 1, expected keys that are strings

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class Keyword:
    I.module_attrs(a=1)
    #!             ^ error[RLX0424]: I.module_attrs has no parameter `a`

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class List:
    I.module_global_infos({"vdevice": I.vdevice("cuda")})
    #!                                ^^^^^^^^^^^^^^^^^ error[RLX0446]: I.module_global_infos: `global_infos` is a Python value, expected lists of devices and the like

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class Names:
    I.module_global_infos({"vdevice": ["cuda"]})
    #!                                 ^^^^^^ error[RLX0446]: I.module_global_infos: `global_infos` is the string "cuda", expected lists of devices and the like

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class Devices:
    I.module_global_infos({"vdevice": [I.vdevice("cudaa", 0), I.vdevice("cuda", "0"), I.vdevice("cuda -arch=sm_80"), I.vdevice("llvm", 0, 1)]})
    #!                                           ^^^^^^^ error[RLX0446]: I.vdevice: `target` is the string "cudaa", expected the kind of a target, as "cuda"

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x
