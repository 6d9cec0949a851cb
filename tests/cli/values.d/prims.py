from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def views(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        A2 = T.decl_buffer((4, 4), "float32", data=A.data)
        B2 = T.decl_buffer((4, 4), "float32", data=B.data)
        for i, j in T.grid(4, 4):
            B2[i, j] = A2[j, i]

    @T.prim_func
    def later(A: T.Buffer((16,), "float32"), n: T.int64):
        A2 = T.decl_buffer((n,), "float32", data=A.data, elem_offset=n)
        for i in range(n):
            A2[i] = A2[i] * T.float32(10)

    @T.prim_func
    def slices(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        B[0:4] = A[4:8]
        B[4:8] = T.Broadcast(T.float32(7), 4)
        B[T.Ramp(8, 1, 4)] = A[0:8:2]
        B[12:16] = T.float32(2) * A[0:4] + A[4:8]

    @T.prim_func
    def rows(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 4), "float32")):
        for i in range(4):
            B[i, 0:4] = T.max(A[i, i:i + 4], T.float32(10))

    @T.prim_func
    def vectors(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in T.serial(4):
            B.vstore([i * 4], A.vload([12 - i * 4], "float32x4"))

    @T.prim_func
    def beyond(A: T.Buffer((16,), "float32"), n: T.int64):
        A[n:n + 4] = T.Broadcast(T.float32(0), 4)

    @T.prim_func
    def math(A: T.Buffer((4,), "float32"), E: T.Buffer((4,), "int32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "int32")):
        for i in range(4):
            B[i] = T.ldexp(A[i], E[i])
            C[i] = T.q_multiply_shift(E[i] * 1000, 1395864371, 31, -2)

    @T.prim_func
    def pointers(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in range(4):
            T.evaluate(T.call_extern("void", "memcpy", T.tvm_access_ptr(T.type_annotation("float32"), B.data, i * 4, 4, 2), T.tvm_access_ptr(T.type_annotation("float32"), A.data, 12 - i * 4, 4, 1), 16))

    @T.prim_func
    def outside(A: T.Buffer((16,), "float32"), n: T.int64):
        T.evaluate(T.call_extern("void", "memset", A.access_ptr("w", offset=n, extent=4), 0, 16))

    @T.prim_func
    def checked(a: T.handle, B: T.Buffer((4,), "int32")):
        A = T.match_buffer(a, (4,), "int32")
        assert A[0] > 0, "the first is not positive"
        i = T.alloc_buffer((1,), "int32")
        i[0] = 0
        while i[0] < 4:
            B[i[0]] = T.reinterpret("int32", T.Cast("float32", A[i[0]]))
            i[0] = i[0] + 1

    @T.prim_func(s_tir=True)
    def blocks(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
        for i, j in T.grid(2, 2):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                s0 = T.int32()
                s1 = T.int32()
                off = T.int32()
                SubA = T.match_buffer(A[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4], (4, 4), "float32", strides=[s0, s1], elem_offset=off)
                SubB = T.match_buffer(B[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4], (4, 4), "float32", offset_factor=1)
                for a, b in T.grid(4, 4):
                    SubB[a, b] = SubA[b, a] + T.Cast("float32", s0 * 100)
