# What makes a module of a class is given a function, by whatever name it is called.
import tvm
from tvm.script import ir as I, ir_module, relax as R, tirx as T

rewriting = R.rewriter


@tvm.script.ir_module
#! 1-21 error[RLX0454]: `@I.ir_module` decorates classes, and this is a function
def plain(x: R.Tensor((4,), "float32")):
    return x


@ir_module(check_well_formed=False)
#! 1-35 error[RLX0454]: `@I.ir_module` decorates classes, and this is a function
def with_arguments(x: R.Tensor((4,), "float32")):
    return x


@rewriting
#! 1-10 error[RLX0454]: `@R.rewriter` decorates classes, and this is a function
def by_another_name(x: R.Tensor((4,), "float32")):
    return x


@I.ir_module
class Module:
    @tvm.script.ir_module
#!   ^^^^^^^^^^^^^^^^^^^^ error[RLX0454]: `@I.ir_module` decorates classes, and this is a function
    def inside(x: R.Tensor((4,), "float32")):
        return x


@ir_module
class Right:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
