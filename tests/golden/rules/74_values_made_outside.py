# R.prim_value outside of functions is what it is inside of them.
from tvm.script import relax as R

P = R.prim_value(3)
Q = R.prim_value(1)


@R.function
def twice(i: R.Tensor((2,), "int32")):
    a = R.one_hot(i, P, R.prim_value(0), 4)
    #! a: R.Tensor((2, 4), dtype="int64")
    b = R.one_hot(i, Q, P, 5)
    #! b: R.Tensor((2, 5), dtype="int64")
    return (a, b)
