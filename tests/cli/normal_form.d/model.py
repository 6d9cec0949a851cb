from tvm.script import ir as I, relax as R, tirx as T

@R.function
def f(x: R.Tensor(("n", 4), "float32"), t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32"))):
    n = T.int64()
    # keep me
    y = x  # alias
    u = (t[0], t[1])
    a, b = u
    with R.dataflow():
        lv = R.add(R.exp(R.negative(y)), y)
        s = R.shape([n, 4])
        lv2: R.Tensor((n, 4), "float32") = R.reshape(lv, s)
        gv = lv2
        R.output(gv)
    c = 1.0
    z: R.Tensor(ndim=2, dtype="float32") = gv
    w = R.add(a, b); v = w
    if R.less(R.sum(a), R.const(1.0)):
        r = R.add(v, v)
    elif R.less(R.sum(b), R.const(1.0)):
        # inner
        r = v
    else:
        q = v
        r = q
    x = R.abs(y)
    k = R.add(y, x)
    return (z, R.add(r, t[1]), k, u[1], c)
