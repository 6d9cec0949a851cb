from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def half(A: T.Buffer((6000,), "float32"), D: T.Buffer((6000,), "float32")):
        C = T.alloc_buffer((6000,), "float32")
        for i in range(3000):
            with T.sblock("C"):
                vi = T.axis.spatial(3000, i)
                C[vi] = A[vi]
        for i in range(6000):
            with T.sblock("D"):
                vi = T.axis.spatial(6000, i)
                D[vi] = C[vi]

    @T.prim_func(s_tir=True)
    def early(A: T.Buffer((6000,), "float32"), D: T.Buffer((6000,), "float32")):
        C = T.alloc_buffer((6000,), "float32")
        for i in range(6000):
            C[i] = A[i] + T.if_then_else(i < 5999, C[i + 1], T.float32(0))
        for i in range(6000):
            if A[i] > T.float32(0):
                D[i] = C[i]

    @T.prim_func(s_tir=True)
    def small(A: T.Buffer((6000,), "float32"), D: T.Buffer((6000,), "float32")):
        for i in range(6000):
            C = T.alloc_buffer((4,), "float32", scope="local")
            C[0] = A[i]
            D[i] = C[0] + C[3]

    @T.prim_func(s_tir=True)
    def some(A: T.Buffer((6000,), "float32"), D: T.Buffer((6000,), "float32")):
        for i in range(10):
            D[i * 2] = A[i]

    @R.function
    def main(x: R.Tensor((6000,), "float32")):
        used = R.sqrt(R.negative(x))
        also = R.exp(used)
        a = R.call_tir(Module.half, (x,), R.Tensor((6000,), "float32"))
        b = R.call_tir(Module.early, (x,), R.Tensor((6000,), "float32"))
        c = R.call_tir(Module.small, (x,), R.Tensor((6000,), "float32"))
        d = R.call_tir(Module.some, (x,), R.Tensor((6000,), "float32"))
        return (R.sum(a), R.sum(b), R.sum(c), R.sum(d), R.max(also))
