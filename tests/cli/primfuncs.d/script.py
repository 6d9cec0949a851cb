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

    @T.prim_func
    def intrinsics(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        B[0] = T.call_llvm_pure_intrin("float32", "llvm.sqrt", A[4])
        B[1] = T.call_llvm_intrin("float32", "llvm.fma", A[2], A[3], A[4])
        B[2] = T.call_intrin("float32", "tirx.floor", A[5] / T.float32(2))
        B[3] = T.Cast("float32", T.call_llvm_pure_intrin("int32", "llvm.ctlz", T.Cast("int32", A[7]), T.bool(False)))
        B[4:8] = T.call_llvm_pure_intrin("float32x4", "llvm.fabs", A[4:8] - T.Broadcast(T.float32(6), 4))

    @T.prim_func
    def no_such(A: T.Buffer((8,), "float32")):
        A[0] = T.call_llvm_pure_intrin("float32", "llvm.memcpy", A[0])

    @T.prim_func
    def vectors(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        B[0:8] = T.vectorcombine("float32x8", T.vectorhigh("float32x4", A[0:8]), T.vectorlow("float32x4", A[0:8]))
        B[0:4] = T.Shuffle([A[0:4], A[4:8]], [7, 0, 5, 2])
        B[7] = T.Shuffle([A[0], A[3]], [1])

    @T.prim_func
    def next_half(A: T.Buffer((4,), "float16"), C: T.Buffer((4,), "float16"), B: T.Buffer((4,), "float16")):
        for i in range(4):
            B[i] = T.nextafter(A[i], C[i])
