# rlx-golden: check
from tvm.script import ir as I, relax as R

# A Callable with parameters states its result; a module's class sets no attribute by a call; a decorator is given no function.


@I.ir_module
class Module:
    I.module_attrs({"a": 1})
    I.module_set_attr("b", {"c": 1})
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: a module's class states its attributes by I.module_attrs

    @R.function
    def main(x: R.Callable((R.Object,)), y: R.Callable((R.Object,), None), z: R.Callable(derive_func="f")):
    #!                     ^^^^^^^^^^^ error[RLX0423]: R.Callable: argument `ret` is missing
    #!                                                 ^^^^^^^^^^^ error[RLX0423]: R.Callable: argument `ret` is missing
        return x


@R.function(f="main")
#!            ^^^^^^ error[RLX0454]: the decorator of a function is given no function
def named(x: R.Object):
    return x


@R.function
def scalar(x: R.Prim(None), y: R.Tuple(R.Prim("int64"), R.Prim(value={"a": 1}))):
#!            ^^^^^^^^^^^^ error[RLX0423]: R.Prim: argument `dtype` is missing
#!                                                                   ^^^^^^^^ error[RLX0446]: R.Prim: `value` is a dict, expected a number or a symbolic expression
    return x


@I.ir_module
class Devices:
    I.module_global_infos({"vdevice": [I.vdevice({"kind": "llvm", "mcpu": "generic"}), I.vdevice({"mcpu": "generic"}), I.vdevice("cuda", int)]})
    #!                                                                                           ^^^^^^^^^^^^^^^^^^^ error[RLX0446]: I.vdevice: `target` is a dict, expected a target with its "kind"

    @R.function
    def main(x: R.Object):
        return x


@R.function
def outer(x: R.Object):
    @R.function(1)
    #!          ^ error[RLX0454]: the decorator of a function is given no function
    def first(y: R.Object) -> R.Object:
        return y
    @R.function(pure=None)
    #!               ^^^^ error[RLX0454]: `pure` is True or False
    def second(y: R.Object) -> R.Object:
        return y
    @R.function(None, pure=False)
    def third(y: R.Object) -> R.Object:
        return y
    return x


from elsewhere import a_list, a_device, a_name


# What Python alone knows of the lists may be the device that is meant; what stands beside it counts.
@I.ir_module
class PartsKnown:
    I.module_global_infos({"mesh": a_list, a_name: [], "vdevice": [I.vdevice("llvm"), I.vdevice("cuda")]})

    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="vdevice:1")) -> R.Tensor((4,), "float32", vdevice="cuda:0"):
        return x

    @R.function
    def moved(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32", vdevice="llvm"):
        y = R.to_vdevice(x, "cuda")
        return y
        #!     ^ error[RLX0353]: the function is declared to return R.Tensor((4,), dtype="float32", vdevice="llvm:0:global"), but the value is R.Tensor((4,), dtype="float32", vdevice="cuda:0:global"): it is on another device
        #!     line 63: declared here
        #!     fix: declare what is returned


@I.ir_module
class ItemUnknown:
    I.module_global_infos({"vdevice": [a_device, I.vdevice("llvm")]})

    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="metal:1")) -> R.Tensor((4,), "float32", vdevice="vdevice:0"):
        y = R.to_vdevice(x, "vulkan")
        return y


@I.ir_module
class ListUnknown:
    I.module_global_infos({"vdevice": a_list})

    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="cuda:3")):
        return x
