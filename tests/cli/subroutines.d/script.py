from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.handle, b: T.handle, k: T.float32):
        n = T.int32()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n,), "float32")
        tmp = T.alloc_buffer((n,), "float32")
        for i in range(n):
            tmp[i] = A[i] * k
        for i in range(n):
            B[i] = tmp[n - 1 - i]

    @T.prim_func(private=True)
    def square(x: T.float32) -> T.float32:
        return x * x + T.float32(1)

    @T.prim_func(private=True)
    def row(p: T.handle("float32"), q: T.handle("float32"), n: T.int32):
        P = T.decl_buffer((n,), "float32", data=p)
        Q = T.decl_buffer((n,), "float32", data=q)
        for i in range(n):
            Q[i] = Module.square(P[i])

    @T.prim_func
    def main(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
        for i in T.parallel(4):
            Module.row(T.address_of(A[i, 0]), T.address_of(B[i, 0]), 6)

    @T.prim_func
    def by_access(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
        for i in range(4):
            Module.row(A.access_ptr("r", offset=i * 6, extent=6), B.access_ptr("w", offset=i * 6, extent=6), 6)

    @T.prim_func
    def reversed_scale(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
        Module.scale(A.data, B.data, T.float32(3))

    @T.prim_func
    def too_short(A: T.Buffer((7,), "float32"), B: T.Buffer((5,), "float32")):
        Module.scale(A.data, B.data, T.float32(3))

    @T.prim_func
    def too_long(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
        for i in range(4):
            Module.row(T.address_of(A[i, 0]), T.address_of(B[i, 0]), 7)

    @T.prim_func
    def ping(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
        Module.pong(A.data, B.data)

    @T.prim_func
    def pong(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float32")):
        Module.ping(A.data, B.data)

    @T.prim_func
    def other_dtype(A: T.Buffer((7,), "float32"), B: T.Buffer((7,), "float16")):
        Module.scale(A.data, B.data, T.float32(3))

    @T.prim_func(private=True)
    def early(n: T.int32, b: T.handle("float32")):
        B = T.decl_buffer((7,), "float32", data=b)
        if n == 0:
            T.evaluate(T.ret(0))
        B[n] = T.float32(1)

    @T.prim_func
    def returns_within(B: T.Buffer((7,), "float32")):
        Module.early(0, B.data)

    @T.prim_func
    def counts(A: T.Buffer((7,), "float32")):
        Module.early(A.data, 3)

    @T.prim_func(private=True)
    def fill(b: T.handle, v: T.float32):
        B = T.match_buffer(b, (2, 3), "float32")
        for i, j in T.grid(2, 3):
            B[i, j] = v

    @T.prim_func
    def other_shape(B: T.Buffer((6,), "float32")):
        Module.fill(B.data, T.float32(2))

    @T.prim_func
    def smaller(B: T.Buffer((5,), "float32")):
        Module.fill(B.data, T.float32(2))

    @T.prim_func
    def in_place(B: T.Buffer((7,), "float32")):
        C = T.alloc_buffer((7,), "float32")
        Module.scale(B.data, C.data, T.float32(2))
        Module.scale(C.data, B.data, T.float32(2))

    @R.function
    def relax(x: R.Tensor((4, 6), "float32")) -> R.Tensor((4, 6), "float32"):
        y = R.call_tir(Module.main, (x,), out_sinfo=R.Tensor((4, 6), "float32"))
        return y
