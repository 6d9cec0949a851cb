from tvm.script import relax as R, tirx as T

from settings import K, L


@R.function
def rows(x: R.Tensor((K // 4, 2), "float32"), w: R.Tensor((K // 4,), "float32")):
    y = R.zeros((K // 4 * 2,), "float32")
    z = R.reshape(x, (K // 4 * 2,))
    return R.add(y, z)


@R.function
def said_otherwise(x: R.Tensor((K // 4,), "float32")):
    y = R.zeros((K,), "float32")
    return (x, y)


@R.function
def exact(x: R.Tensor((3 * L + 1,), "float32"), y: R.Tensor((L // 2,), "float32")):
    z = R.zeros((L,), "float32")
    return z


@R.function
def cast(x: R.Tensor(((K + 3) // 4,), "float32"), o: R.Object):
    a = R.match_cast(o, R.Tensor((K,), "float32"))
    return (x, a)


@R.function
def result(x: R.Tensor((K % 7, K // 2), "float32")) -> R.Tensor((K // 2, K % 7), "float32"):
    return R.permute_dims(x)
