# Numbers of Relax that are made outside of functions, where no function says which dialect they are of.
from tvm.script import ir as I, relax as R, tirx as T

WHOLE = R.prim_value(4)
HALF = R.prim_value(0.5)


@R.function
def prim_values_outside(x: R.Tensor((2, 2), "float32")):
    a = R.tril(x, WHOLE)
    #! a: R.Tensor((2, 2), dtype="float32")
    b = (a, HALF)
    #! b: R.Tuple(R.Tensor((2, 2), dtype="float32"), R.Prim(value=T.float32(0.5)))
    return b


@I.ir_module
class Module:
    SIDE = R.prim_value(2)
#!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    TEXT = R.prim_value("left")
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class

    @R.function
    def in_the_class(x: R.Tensor((2, 2), "float32")):
        return R.triu(x, SIDE)
        #! gv: R.Tensor((2, 2), dtype="float32")
