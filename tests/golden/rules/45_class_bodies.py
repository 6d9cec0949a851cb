# What Python evaluates in the body of a module's class, and above it: names that nothing binds, attributes that packages do not have,
# functions of T with what they do not take, Python's own wrappers below a decorator of TVM's.
import tvm
from tvm import relax
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Names:
    I.module_attrs({"a": nowhere})
    #!                   ^^^^^^^ error[RLX0201]: `nowhere` is not defined
    nowhere2
#!  ^^^^^^^^ error[RLX0201]: `nowhere2` is not defined
    g = Names
    #!  ^^^^^ error[RLX0201]: `Names` is not defined
    I.module_attrs

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        I.module_attrs({"b": 1})
#!        ^^^^^^^^^^^^ error[RLX0455]: `I.module_attrs` stands in the body of a module's class
        y = relax.float32(1)
        #!        ^^^^^^^ error[RLX0203]: `relax.float32` does not exist
        #! y: R.Object
        return x


@I.ir_module
class Members:
    I.module_attrs({"a": R.foo})
    #!                     ^^^ error[RLX0203]: `R.foo` does not exist

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@tvm.scriptir_module
#!   ^^^^^^^^^^^^^^^ error[RLX0203]: `tvm.scriptir_module` does not exist
class Joined:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@T.max(I.ir_module, 3)
#!     ^^^^^^^^^^^ error[RLX0446]: T.max: `a` is `I.ir_module`, expected a number or a symbolic expression
class Called:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@T.int64(I).ir_module
#!       ^ error[RLX0446]: T.int64: `expr` is `I`, expected a number or a symbolic expression
class Number:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@T.primfunc
#! ^^^^^^^^ error[RLX0203]: `T.primfunc` does not exist; did you mean `T.prim_func`?
#!     fix: change to `T.prim_func`
class Unknown:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
#! 1-12 error[RLX0454]: `@I.ir_module` is given what `@staticmethod` below made, and decorates no such thing
@staticmethod
class Wrapped:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@staticmethod
class Unread:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return Unread.other(x)
        #!     ^^^^^^ error[RLX0201]: `Unread` is not defined yet: without `@I.ir_module` the functions of a class are read one by one

    @R.function
    def other(x: R.Tensor((2,), "float32")):
        return x


@I.ir_module
class Macros:
    @T.macro
#!   ^^^^^^^ error[RLX0454]: a macro stands outside of the module's class
    def main():
        T.evaluate(0)


@R.function
#! 1-11 error[RLX0454]: `@R.function` is given what `@staticmethod` below made, and decorates no such thing
@staticmethod
def wrapped(x: R.Tensor((2,), "float32")):
    return x


@relax.function
#!     ^^^^^^^^ error[RLX0203]: `relax.function` does not exist
def package(x: R.Tensor((2,), "float32")):
    return x
