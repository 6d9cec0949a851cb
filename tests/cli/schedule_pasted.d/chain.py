from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((24, 12), "float32"), S: T.Buffer((24,), "float32")):
        B = T.sblock_alloc_buffer((24, 12), "float32")
        C = T.sblock_alloc_buffer((24, 12), "float32")
        for i, j in T.grid(24, 12):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(3)
        for i, j in T.grid(24, 12):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + T.float32(1)
        for i, u, j in T.grid(24, 1, 12):
            with T.sblock("S"):
                vi, vu, vj = T.axis.remap("SSR", [i, u, j])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + C[vi, vj] * B[vi, 11 - vj]
