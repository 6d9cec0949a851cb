# rlx-golden: check
# What is assigned in a module's class is a function: no value that a word of R, I or T gives, nor the word itself.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Values:
    a = R.full((2,), R.const(0.0), "float32")
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    b = R.nn.gelu(R.const(1.0))
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    c = R.image
#!  ^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    d = I.Range(4)
#!  ^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    e = T.int8
#!  ^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    f = R.const(1) * R.const(2)
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    g = R.ExternFunc
#!  ^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    h = R.vulkan()
#!  ^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    R.emit(R.const(2))
#!  ^^^^^^^^^^^^^^^^^^ error[RLX0455]: R.emit stands in a function
    R.output()
#!  ^^^^^^^^^^ error[RLX0455]: R.output stands in a function
    R.nn.gelu

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x


@I.ir_module
class Functions:
    packed = R.ExternFunc("packed")
    R.const(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
