from tvm.script import ir as I, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def remainder(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in range(16):
            B[i] = A[(i * 7) % 16]

    @T.prim_func
    def mask(A: T.Buffer((64,), "float32"), B: T.Buffer((40,), "float32")):
        for i in range(40):
            v: T.let[T.int32] = (i * 5) & 63
            B[i] = A[v]

    @T.prim_func
    def narrow(A: T.Buffer((256,), "float32"), B: T.Buffer((64,), "float32")):
        for i in range(64):
            B[i] = A[T.Cast("int32", T.Cast("uint8", i) * T.uint8(7))]

    @T.prim_func
    def sums(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            acc: T.float32 = T.float32(0)
            for j in range(i + 1):
                acc = acc + A[j]
            B[i] = acc

    @T.prim_func
    def counted(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        n: T.int32
        n = 0
        x: T.int32 = 5
        while n < 8:
            B[n] = A[n] + T.Cast("float32", x)
            n += 1
            x += n
