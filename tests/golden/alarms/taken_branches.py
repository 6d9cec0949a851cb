# What Python runs of an expression whose condition is written out is what the statement does.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def either(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        z = R.add(y, y)
        #! z: R.Tensor((2, 3), dtype="float32")
        0 if False else R.output(y) if True else None
    with R.dataflow():
        w = R.exp(y)
        #! w: R.Tensor((2, 3), dtype="float32")
        False or R.output(w)
    return w


@R.function
def neither(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        z = R.add(y, y)
        #! z: R.Tensor((2, 3), dtype="float32")
        R.output(z) if True else None
    return y
    #!     ^ error[RLX0207]: `y` is local to its dataflow block: add it to `R.output` there
    #!     line 20: bound in this block
