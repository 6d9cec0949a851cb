# A hand-scheduled matrix product in TensorIR, called from Relax in destination-passing style.
#
# The loops are tiled 8 x 8 and the reduction is split by 4; `init` clears each tile first. Hover over
# `cls.tiled_matmul` for its signature. `main` subtracts R.matmul's result: it gives zeros.
#
#   rlx run examples/call_tir_scheduled.py::main 'a=16x16:float32:random(1)' 'b=16x16:float32:random(2)'
#
# TVM 0.24 and later spell T.block as T.sblock and want @T.prim_func(s_tir=True).
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def tiled_matmul(
        A: T.Buffer((16, 16), "float32"),
        B: T.Buffer((16, 16), "float32"),
        C: T.Buffer((16, 16), "float32"),
    ):
        for i0, j0 in T.grid(2, 2):
            for i1, j1 in T.grid(8, 8):
                with T.block("init"):
                    vi = T.axis.spatial(16, i0 * 8 + i1)
                    vj = T.axis.spatial(16, j0 * 8 + j1)
                    C[vi, vj] = T.float32(0)
            for k0, i1, k1, j1 in T.grid(4, 8, 4, 8):
                with T.block("update"):
                    vi = T.axis.spatial(16, i0 * 8 + i1)
                    vj = T.axis.spatial(16, j0 * 8 + j1)
                    vk = T.axis.reduce(16, k0 * 4 + k1)
                    C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    @T.prim_func
    def scale_rows(a: T.handle, s: T.handle, c: T.handle):
        # Symbolic shapes: n is solved from the arguments of call_tir.
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(16)), "float32")
        S = T.match_buffer(s, (n,), "float32")
        C = T.match_buffer(c, (n, T.int64(16)), "float32")
        for i, j in T.grid(n, T.int64(16)):
            with T.block("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] * S[vi]

    @R.function
    def main(
        a: R.Tensor((16, 16), "float32"), b: R.Tensor((16, 16), "float32")
    ) -> R.Tensor((), "float32"):
        cls = Module
        with R.dataflow():
            fast = R.call_tir(cls.tiled_matmul, (a, b), R.Tensor((16, 16), "float32"))
            plain = R.matmul(a, b)
            difference = R.abs(R.subtract(fast, plain))
            gv = R.max(difference)
            R.output(gv)
        return gv

    @R.function
    def scaled(
        x: R.Tensor(("n", 16), "float32"), s: R.Tensor(("n",), "float32")
    ) -> R.Tensor(("n", 16), "float32"):
        n = T.int64()
        cls = Module
        gv = R.call_tir(cls.scale_rows, (x, s), R.Tensor((n, 16), "float32"))
        return gv
