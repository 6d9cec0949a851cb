from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def allocated(a: T.handle, b: T.handle):
        A = T.match_buffer(a, (16,), "float32")
        B = T.match_buffer(b, (16,), "float32")
        with T.allocate([16], "float32", "global") as tmp:
            C = T.decl_buffer((4, 4), "float32", data=tmp)
            for i, j in T.grid(4, 4):
                C[i, j] = A[i * 4 + j] * T.float32(2)
            for i, j in T.grid(4, 4):
                B[i * 4 + j] = C[j, i]

    @T.prim_func
    def flat(a: T.handle, b: T.handle):
        A = T.match_buffer(a, (4,), "float32")
        B = T.match_buffer(b, (4,), "float32")
        tmp = T.allocate([4], "float32", "global")
        C = T.decl_buffer((4,), "float32", data=tmp)
        for i in range(4):
            with T.LetStmt(A[i] * T.float32(2)) as v:
                C[i] = v
        with T.Assert(A[0] > T.float32(0), "the first is not positive"):
            for i in range(4):
                B[i] = C[3 - i]
