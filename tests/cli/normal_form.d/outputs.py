from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2,), "float32"), t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32"))):
    with R.dataflow():
        only = t[0]  # nothing is left of this block
        R.output(only)
    with R.dataflow():
        lv = R.add(x, only)
        lv1 = R.match_cast(lv, R.Tensor((2,), "float32"))
        pair = (lv1, x)
        gv = lv1
        R.output(gv, pair)

    @R.function
    def inner(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        b = (a, pair[1])
        return R.add(b[0], b[1])

    again = (t[0], t[1])
    return (inner(gv), pair, again)
