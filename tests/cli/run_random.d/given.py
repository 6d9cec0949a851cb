from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class M:
    @R.function
    def pair(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "int64")), s: R.Shape(ndim=2)):
        a = t[0]
        b = R.astype(t[1], "float32")
        c = R.add(a, b)
        z = R.zeros(s, "float32")
        return (c, z)

    @R.function
    def sym(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n * 2",), "float32"), k: R.Prim("int64")):
        n = T.int64()
        z = R.sum(x)
        w = R.add(z, y)
        return w

    @T.prim_func
    def scale(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi] * T.float32(2)

    @R.function
    def callback(f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32")), x: R.Tensor((2,), "float32")):
        return f(x)

    @R.function
    def table(t: R.Tensor((2, 3), "float32"), i: R.Tensor((5,), "int64"), m: R.Tensor((4,), "bool")):
        return (R.shape_of(R.take(t, i, axis=0)), R.shape_of(m))

    @R.function
    def nested(t: R.Tuple(R.Tensor((1,), "float32"), R.Tuple(R.Tensor((2,), "int64"), R.Shape(ndim=1)))):
        return t
