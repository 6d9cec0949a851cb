# What may stand above a module, and around @I.pyfunc.
# rlx-golden: check
import tvm
from tvm.script import ir as I, relax as R, tirx as T
from tvm.relax.base_py_module import BasePyModule


@I.ir_modul
#! ^^^^^^^^ error[RLX0454]: `ir_modul` of I decorates no class; did you mean `@I.ir_module`?
#!     fix: change to `I.ir_module`
class Misspelt:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@tvm.script.irmodule
#!          ^^^^^^^^ error[RLX0454]: `irmodule` of tvm.script decorates no class; did you mean `@tvm.script.ir_module`?
#!     fix: change to `tvm.script.ir_module`
class LongName:
    @T.prim_func
    def main(A: T.Buffer((2,), "float32")):
        A[0] = T.float32(1)


@R.ir_module
#! ^^^^^^^^^ error[RLX0454]: `ir_module` of R decorates no class; modules are made by `@I.ir_module`
class OtherNamespace:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@T.prim_func(s_tir=True)
#! ^^^^^^^^^ error[RLX0454]: `prim_func` of T decorates functions, not classes
class OfFunctions:
    @R.function(private=True)
    def main(x: R.Tensor((2,), "float32")):
        return x


@J.ir_module
#! 1-2 error[RLX0201]: `J` is not defined
class Unknown:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module(well_formed=False)
#!           ^^^^^^^^^^^ error[RLX0424]: I.ir_module has no parameter `well_formed`
class Keyword:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module(True)
#!           ^^^^ error[RLX0454]: the decorator of a module takes keywords only
class Positional:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@tvm.relay.ir_module
#!   ^^^^^ error[RLX0454]: classes are decorated by `@tvm.script.ir_module`
class Relay:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class Functions:
    @R2.function
#!   ^^ error[RLX0201]: `R2` is not defined
    def main(x: R.Tensor((2,), "float32")):
        return x

    @Rfunction
#!   ^^^^^^^^^ error[RLX0201]: `Rfunction` is not defined
    def glued(x: R.Tensor((2,), "float32")):
        return x

    @I.pyfunc
#!   ^^^^^^^^ error[RLX0454]: a Python function stands in a module that derives from BasePyModule
    def python(self, x):
        return x


@I.ir_module(check_well_formed=True, s_tir=True)
class Right(BasePyModule):
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x

    @I.pyfunc
    def python(self, x):
        return x


@tvm.register_object("x.Y")
@dataclass
#! 1-10 error[RLX0201]: `dataclass` is not defined
class Other:
    def main(x):
        return x


@I.ir_module(check_well_formed=T.int64(), s_tir=T.int32(1))
#!                             ^^^^^^^^^ error[RLX0454]: `check_well_formed` is True or False: an expression has no truth
class NoTruth:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module(s_tir=T.int32x4(True))
#!                 ^^^^^^^^^^^^^^^ error[RLX0454]: `s_tir` is True or False: an expression has no truth
class NoTruthOfLanes:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module(check_well_formed=T.int64(1) < T.int64(2), s_tir=T.exp(T.float32(1)) == 2)
class Truths:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module(mod=T.int64(3))
#!               ^^^^^^^^^^ error[RLX0454]: `mod` is the class that the decorator makes a module of
class GivenNumber:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module(check_well_formed=False, s_tir=T.float32(1))
class NeverAsked:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@T.webgpu
#! 1-9 error[RLX0454]: this decorates no class
class OfNamespace:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((2,), "float32")):
        A[0] = T.float32(1)


@T.nvshmem.ir_module
#! 1-20 error[RLX0454]: this decorates no class
class InNamespace:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@T.nvshmem()
#! 1-12 error[RLX0454]: this decorates no class
class NamespaceCalled:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@T.serial
#! 1-9 error[RLX0454]: this decorates no class
class OfLoop:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@T.meta_class
class OfPython:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x
