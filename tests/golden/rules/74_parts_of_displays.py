# TVM's parser evaluates dictionaries part by part, and stops at `**`. Comprehensions and lambdas are Python's, where names are assigned, too.
from tvm.script import ir as I, relax as R, tirx as T

KNOWN = {**{"a": 1}}


@I.ir_module
class Attributes:
    I.module_attrs({"b": 2, **KNOWN})
    #!                      ^^^^^^^ error[RLX0429]: `**` in a dictionary can't be used in a Relax function

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        R.func_attr(KNOWN)
        return x

    @R.function
    def other(x: R.Tensor((2,), "float32")):
        R.func_attr({**{"relax.force_pure": True}, "c": 3})
        #!           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `**` in a dictionary can't be used in a Relax function
        return x


@R.function
def comprehensions(x: R.Tensor((2, 3), "float32")):
    a = [{**KNOWN, "i": i} for i in range(2)]
    #! a: R.Object
    b = (lambda: {**KNOWN})()
    #! b: R.Object
    c = R.reshape(x, [(k := i) for i in (3, 2)])
    #! c: R.Tensor((3, 2), dtype="float32")
    d = [i for i in (k := [1])]
    #!               ^^^^^^^^ error[RLX0429]: an assignment expression can't be used in a Relax function
    #! d: R.Object
    e = ((k := i) for i in [1])
    #!         ^ error[RLX0201]: `i` is not defined: TVM's parser binds no name of a generator; write a list, `[… for …]`
    #! e: R.Object
    return c
