# rlx-golden: check
# Functions of Python that ask items of a list for their truth or their order.
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n", "m"), "float32")):
    n = T.int64()
    m = T.int64()
    a = R.reshape(x, (min([m, 8]), -1))
    #!                     ^ error[RLX0446]: Python's `min`: `argument` is the symbolic integer `m`, expected a number
    b = R.shape([max((n + 1, n))])
    #!                       ^ error[RLX0446]: Python's `max`: `argument` is the symbolic integer `n`, expected a number
    c = R.shape(sorted([2, m]))
    #!                     ^ error[RLX0446]: Python's `sorted`: `argument` is the symbolic integer `m`, expected a number
    d = any([False, n - m])
    #!              ^^^^^ error[RLX0446]: Python's `any`: `argument` is the symbolic integer `n - m`, expected a value that Python finds true or false
    e = all((n < m,))
    #!       ^^^^^ error[RLX0446]: Python's `all`: `argument` is the symbolic integer `n < m` of dtype bool, expected a value that Python finds true or false
    f = any([1, n])
    g = all([0, n])
    h = min([n])
#!  ^ error[RLX0209]: symbolic variable `n` can't be bound to the name `h`
    o = R.shape([max([2, 3])])
    p = all([x, y])
    return x
