# R.dataflow under a name opens a block; what R.output gives is no value.
from tvm.script import relax as R


@R.function
def called(x: R.Tensor((2, 3), "float32")):
    d = R.dataflow
    with d():
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        R.output(y)
    return y


@R.function
def made(x: R.Tensor((2, 3), "float32")):
    d = R.dataflow()
    with d:
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        R.output(y)
    return y


@R.function
def returned(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        z = R.output(y)
        #!           ^ warning[RLX0215]: output `y` of the dataflow block is not used after it
    return z
    #!     ^ error[RLX0442]: `None` is not a Relax value


@R.function
def unread(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        z = R.output(y)
    return y
