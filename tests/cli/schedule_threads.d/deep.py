from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def product(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
        for i, j, k in T.grid(128, 128, 128):
            with T.sblock("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    @T.prim_func(s_tir=True)
    def stencil(A: T.Buffer((56, 56, 3), "float32"), W: T.Buffer((5, 5, 3, 16), "float32"), C: T.Buffer((28, 28, 16), "float32")):
        P = T.sblock_alloc_buffer((59, 59, 3))
        for h, w, c in T.grid(59, 59, 3):
            with T.sblock("P"):
                vh, vw, vc = T.axis.remap("SSS", [h, w, c])
                P[vh, vw, vc] = T.if_then_else(2 <= vh and vh < 58 and 2 <= vw and vw < 58, A[vh - 2, vw - 2, vc], T.float32(0))
        for h, w, o, rh, rw, rc in T.grid(28, 28, 16, 5, 5, 3):
            with T.sblock("C"):
                vh, vw, vo, vrh, vrw, vrc = T.axis.remap("SSSRRR", [h, w, o, rh, rw, rc])
                with T.init():
                    C[vh, vw, vo] = T.float32(0)
                C[vh, vw, vo] = C[vh, vw, vo] + P[vh * 2 + vrh, vw * 2 + vrw, vo // 16 * 3 + vrc] * W[vrh, vrw, vrc, vo]
