from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def bounds(A: T.Buffer(("n",), "float32"), B: T.Buffer((16,), "float32"), k: T.int32, j: T.int32):
        n = T.int32()
        for i in range(n):
            with T.sblock("a"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi + 1]
            T.evaluate(0)
        if A[k] > 0.0:
            T.evaluate(k)
        B[0] = T.if_then_else(j < n, A[j], 0.0)
        B[1] = A[j] if j < n else 0.0
        T.evaluate(j)
        p = k + 2
        B[2] = A[p]
        p = j
        T.evaluate(p)
        for j in range(4):
            B[j + 8] = T.float32(0)
        with T.sblock("guarded"):
            vk = T.axis.spatial(n, k)
            T.where(k < 3)
            B[vk + 3] = T.float32(0)
        T.evaluate(0)

    @T.prim_func
    def shapes(a: T.handle, i: T.int32):
        n = T.int32()
        A = T.match_buffer(a, (n - 4, 2), "float32")
        T.reads(A[i, 0])
        T.evaluate(0)
        A[i, 0] = T.float32(0)
        T.evaluate(0)

    @R.function(pure=False)
    def branches(x: R.Tensor(("n",), "float32"), k: R.Prim("int64")):
        n = T.int64()
        if n < 4:
            y = R.add(x, x)
        else:
            y = R.multiply(x, x)
        return x
