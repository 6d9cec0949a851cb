# rlx-golden: check
# A part of a buffer is matched as memory of the scope in which it lies; a number 0 divides nothing.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32")):
    C = T.sblock_alloc_buffer((16, 16), "float32", scope="shared")
    for i in range(16):
        with T.sblock("b"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:16])
            T.writes(B[vi], C[vi, 0:16])
            a = T.match_buffer(A[vi, 0:16], (16,), "float32")
            b = T.match_buffer(A[vi, 0:16], (16,), "float32", scope="shared")
            #!                 ^^^^^^^^^^^ error[RLX0614]: a part of memory of scope "global", matched as "shared"
            c = T.match_buffer(C[vi, 0:16], (16,), "float32")
            #!                 ^^^^^^^^^^^ error[RLX0614]: a part of memory of scope "shared", matched as "global"
            d = T.match_buffer(C[vi, 0:16], (16,), "float32", scope="shared")
            B[vi] = A[vi, vi // 0] + A[vi, vi % 2]
            #!            ^^^^^^^ error[RLX0614]: division by zero
