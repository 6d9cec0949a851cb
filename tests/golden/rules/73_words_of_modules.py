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
