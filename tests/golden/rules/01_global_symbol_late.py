# A private PrimFunc has no `global_symbol`, however many statements stand before its attributes: buffers that handles
# stand for, buffers that are allocated, values that are named.
from tvm.script import ir as I
from tvm.script import tirx as T


@I.ir_module
class Late:
    @T.prim_func(private=True)
    def hidden(a: T.handle, b: T.handle, c: T.handle, d: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n,), "float32")
        C = T.match_buffer(c, (n,), "float32")
        D = T.match_buffer(d, (n,), "float32")
        E = T.alloc_buffer((4,), "float32")
        F = T.alloc_buffer((4,), "float32")
        G = T.alloc_buffer((4,), "float32")
        H = T.alloc_buffer((4,), "float32")
        T.func_attr({"tirx.noalias": True, "global_symbol": "hidden"})
        #!                                 ^^^^^^^^^^^^^^^ error[RLX0212]: `hidden` is private, so it can't have a `global_symbol`
        #!     fix: remove it
        for i in range(n):
            D[i] = A[i] + B[i] + C[i]

    @T.prim_func
    def public(a: T.handle, b: T.handle, c: T.handle, d: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n,), "float32")
        C = T.match_buffer(c, (n,), "float32")
        D = T.match_buffer(d, (n,), "float32")
        E = T.alloc_buffer((4,), "float32")
        F = T.alloc_buffer((4,), "float32")
        G = T.alloc_buffer((4,), "float32")
        H = T.alloc_buffer((4,), "float32")
        T.func_attr({"tirx.noalias": True, "global_symbol": "public"})
        for i in range(n):
            D[i] = A[i] + B[i] + C[i]
