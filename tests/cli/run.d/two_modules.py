from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Old:
    @R.function
    def act(x: R.Tensor((3,), "float32")):
        return R.negative(x)

    @R.function
    def main(x: R.Tensor((3,), "float32")):
        cls = Old
        return cls.act(x)


@I.ir_module
class New:
    @R.function
    def act(x: R.Tensor((3,), "float32")):
        return R.add(x, x)

    @R.function
    def main(x: R.Tensor((3,), "float32")):
        cls = New
        return cls.act(x)

    @R.function
    def only(x: R.Tensor((3,), "float32")):
        cls = New
        return cls.act(cls.act(x))
