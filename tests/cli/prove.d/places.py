from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def copy(a: T.handle, b: T.handle, k: T.int32):
        n = T.int32()
        A = T.match_buffer(a, (n, 16), "float32")
        B = T.match_buffer(b, (n * 16,), "float32")
        assert n % 4 == 0, "n"
        for i, j in T.grid(n, 16):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi * 16 + vj] = A[vi, vj]
        for io in range(n // 4):
            for ii in T.serial(4):
                if k > 3:
                    with T.block("d"):
                        v = T.axis.spatial(n, io * 4 + ii)
                        B[v] = A[v, 0]

    @R.function(pure=False)
    def main(x: R.Tensor(("n", "k"), "float32")):
        n = T.int64()
        k = T.int64()
        _ = R.assert_op(R.prim_value(n % 4 == 0))
        y = R.reshape(x, (n // 4, 4, k))
        z = R.match_cast(x, R.Tensor((8, k), "float32"))
        return z
