# One name with many meanings: the last one above the use counts, or, where there is none, the first of all. What an `if` leaves out does not.
from tvm.script import relax as R


@R.function
def above_all(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((1, 12), dtype="float32")
    return y


N = 1
N = 2
if 0:
    N = 77
    N = 78


@R.function
def f0(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((2, 6), dtype="float32")
    return y


N = 3
if 0:
    N = 77
    N = 78


@R.function
def f1(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((3, 4), dtype="float32")
    return y


N = 4
if 0:
    N = 77
    N = 78


@R.function
def f2(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((4, 3), dtype="float32")
    return y


N = 6
if 0:
    N = 77
    N = 78


@R.function
def f3(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((6, 2), dtype="float32")
    return y


N = 12
if 0:
    N = 77
    N = 78


@R.function
def f4(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((12, 1), dtype="float32")
    return y


N = 2
if 0:
    N = 77
    N = 78


@R.function
def f5(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((2, 6), dtype="float32")
    return y


N = 3
if 0:
    N = 77
    N = 78


@R.function
def f6(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((3, 4), dtype="float32")
    return y


N = 4
if 0:
    N = 77
    N = 78


@R.function
def f7(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((4, 3), dtype="float32")
    return y


N = 6
if 0:
    N = 77
    N = 78


@R.function
def f8(x: R.Tensor((12,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((6, 2), dtype="float32")
    return y


if N > 1:
    N = 5
else:
    N = 7


@R.function
def last(x: R.Tensor((35,), "float32")):
    y = R.reshape(x, (N, -1))
    #! y: R.Tensor((5, 7), dtype="float32")
    return y
