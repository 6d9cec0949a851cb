from tvm.script import relax as R


@R.function
def uses(x: R.Tensor((2,), "float32")):
    y = given(x)
    return R.add(y, y)


@R.function
def given(x: R.Tensor((2,), "float32")):
    return R.negative(x)
