from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Given:
    @R.function
    def my_pair(x: R.Tensor(("n",), "float32")):
        y = R.add(x, x)
        return (y, R.astype(y, "int32"))

    @T.prim_func
    def fill(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):
        T.func_attr({"global_symbol": "my.fill"})
        for i in range(2):
            B[i] = A[i] + T.float32(1)
