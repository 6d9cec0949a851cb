from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class M:
    @T.prim_func
    def programs(B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = T.Cast("float32", T.call_extern("int32", "system", "touch started"))

    @T.prim_func
    def children(B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = T.Cast("float32", T.call_extern("int32", "fork"))

    @T.prim_func
    def numbers(B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = T.call_extern("float32", "cbrtf", T.float32(27))

    @T.prim_func
    def endless(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32")):
        B[0] = A[0]
        while B[0] < T.float32(1):
            B[0] = B[0] * T.float32(0.5)
