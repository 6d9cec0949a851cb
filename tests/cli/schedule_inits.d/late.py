from tvm.script import ir as I
from tvm.script import tirx as T, relax as R

@I.ir_module
class Module:
    @T.prim_func(s_tir=True, private=True)
    def last(A: T.Buffer((2, 12), "float32"), D: T.Buffer((2,), "float32")):
        for i, k in T.grid(2, 12):
            with T.sblock("last"):
                vi = T.axis.spatial(2, i)
                vk = T.axis.reduce(12, 11 - k)
                with T.init():
                    D[vi] = T.float32(0)
                D[vi] = D[vi] + A[vi, vk]
    @T.prim_func(s_tir=True, private=True)
    def parts(A: T.Buffer((2, 12), "float32"), D: T.Buffer((2,), "float32")):
        for i in range(2):
            for k in range(4):
                with T.sblock("a"):
                    vi = T.axis.spatial(2, i)
                    vk = T.axis.reduce(12, k)
                    with T.init():
                        D[vi] = T.float32(0)
                    D[vi] = D[vi] + A[vi, vk]
            for k in range(4, 12):
                with T.sblock("b"):
                    vi = T.axis.spatial(2, i)
                    vk = T.axis.reduce(12, k)
                    with T.init():
                        D[vi] = T.float32(0)
                    D[vi] = D[vi] + A[vi, vk]
    @R.function
    def main(x: R.Tensor((2, 12), "float32")) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.last, (x,), out_sinfo=R.Tensor((2,), "float32"))
            b = R.call_tir(cls.parts, (x,), out_sinfo=R.Tensor((2,), "float32"))
            gv = (a, b)
            R.output(gv)
        return gv


@T.prim_func(s_tir=True)
def stopped(A: T.Buffer((4, 8), "int32"), S: T.Buffer((4,), "int32")):
    B = T.sblock_alloc_buffer((4, 8), "int32")
    for i, k in T.grid(4, 8):
        with T.sblock("a"):
            vi, vk = T.axis.remap("SS", [i, k])
            B[vi, vk] = A[vi, vk] * 2
    for i, k in T.grid(4, 8):
        with T.sblock("b"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.where(k > 2)
            with T.init():
                S[vi] = 100
            S[vi] = S[vi] + B[vi, vk]
