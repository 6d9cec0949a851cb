from tvm.script import relax as R


@R.function
def rows(x: R.Tensor((2, 4), "int64"), n: R.Tensor((2,), "int32")):
    return R.reverse_sequence(x, n)


@R.function
def columns(x: R.Tensor((3, 2), "float32"), n: R.Tensor((2,), "int64")):
    return R.reverse_sequence(x, n, seq_axis=0, batch_axis=1)
