# Names that are imported out of a namespace mean what they mean in it, under whatever name.
from tvm.script import ir as I
from tvm.script.relax import Tensor, concat, function, nn, output
from tvm.script.relax import dataflow as block
from tvm.relax.op import sum as total
from tvm.relax.op.nn import gelu


@function
def right(x: Tensor((4, 6), "float32")):
    with block():
        a = gelu(x)
        #! a: R.Tensor((4, 6), dtype="float32")
        b = concat([a, x], axis=1)
        #! b: R.Tensor((4, 12), dtype="float32")
        output(b)
    return b


@function
def wrong(x: Tensor((4, 6), "float32"), y: Tensor((3, 5), "float32")):
    a = concat([x, y], axis=0)
    #!         ^^^^^^ error[RLX0312]: R.concat: dimension 1 of `tensors[1]` is 5, expected 6
    #!     line 19: `x` is R.Tensor((4, 6), dtype="float32")
    #!     line 19: `y` is R.Tensor((3, 5), dtype="float32")
    #!     fix: declare dimension 1 of `y` as 6
    #! a: R.Tensor(dtype="float32", ndim=2)
    b = nn.softmax(x, axis=4)
    #!                     ^ error[RLX0305]: R.nn.softmax: axis 4 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `1`
    #! b: R.Tensor((4, 6), dtype="float32")
    c = total(x, axis=[0, 2])
    #!                ^^^^^^ error[RLX0305]: R.sum: axis 2 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `1`
    #! c: R.Tensor(dtype="float32")
    d = gelu(x, 2)
    #!          ^ error[RLX0422]: R.nn.gelu takes at most 1 positional argument, 2 given
    #!     fix: remove it
    #! d: R.Object
    return (b, c, d)


# TVM takes a second dict of attributes or infos where the first one was empty.
@I.ir_module
class EmptyFirst:
    I.module_attrs({})
    I.module_attrs({"a": 1})
    I.module_global_infos({})
    I.module_global_infos({})

    @function
    def main(x: Tensor((2,), "float32")):
        return x


@I.ir_module
class EmptyLast:
    I.module_attrs({})
    I.module_attrs({"a": 1})
    I.module_attrs({})
#!  ^^^^^^^^^^^^^^ error[RLX0453]: `I.module_attrs` is given twice in this module
    #!     line 43: given here already

    @function
    def main(x: Tensor((2,), "float32")):
        return x
