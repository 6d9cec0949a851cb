# A shape that is written out is a list of its dimensions to Python: its items can have names. A name of a shape is none.
from tvm.script import relax as R
from tvm.script import tirx as T


@R.function
def constants(x: R.Tensor((2, 12), "float32")):
    rows, columns = R.shape([6, 4])
    return R.reshape(x, (rows, columns))
    #! gv: R.Tensor((6, 4), dtype="float32")


@R.function
def own_name(x: R.Tensor(("n", 3), "float32")):
    n = T.int64()
    with R.dataflow():
        n, k = R.shape([n, 3])
        y = R.reshape(x, (k, n))
        #! y: R.Tensor((3, n), dtype="float32")
        R.output(y)
    return y


@R.function
def other_name(x: R.Tensor(("n", 3), "float32")):
    n = T.int64()
    m, k = R.shape([n, 3])
#!  ^ error[RLX0209]: symbolic variable `n` can't be bound to the name `m`
    return x


@R.function
def starred(x: R.Tensor((2, 3, 4), "float32")):
    first, *others = R.shape([24, 5, 1])
    return R.reshape(x, (others[1], first))
    #! gv: R.Tensor((1, 24), dtype="float32")


@R.function
def too_many(x: R.Tensor((2, 3), "float32")):
    a, b = R.shape([2, 3, 4])
#!  ^^^^ error[RLX0359]: 2 names for a tuple of 3
    return x


@R.function
def of_a_name(x: R.Tensor((2, 3), "float32")):
    s = R.shape([2, 3])
    #! s: R.Shape([2, 3])
    a, b = s
    #!     ^ error[RLX0358]: only tuples can be indexed, found R.Shape([2, 3])
    #! a: R.Object
    #! b: R.Object
    return x
