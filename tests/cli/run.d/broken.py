from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def sound(x: R.Tensor((3,), "float32")):
        y = R.add(x, x)
        return y

    @R.function
    def broken(x: R.Tensor((3,), "float32")):
        y = R.matmul(x, R.zeros((4,), "float32"))
        return y

    @R.function
    def reaches(x: R.Tensor((3,), "float32")):
        cls = Module
        y = cls.broken(x)
        return y

    @R.function
    def syntax(x: R.Tensor((3,), "float32")):
        y = R.add(x,
        return y
