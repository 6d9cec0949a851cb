# rlx-golden: check
# Early in 2023: match_cast and today's annotations, but siblings have bare names (also those of Python's builtins),
# R.call_tir takes packed functions, and nothing declares effects.
import tvm
from tvm.script import relax as R, tir as T


@tvm.script.ir_module
class Bare:
    @T.prim_func
    def max(a: T.handle, b: T.handle) -> None:
        k = T.var("int64")
        A = T.match_buffer(a, (k, 8), "float32")
        B = T.match_buffer(b, (k, 8), "float32")
        for i, j in T.grid(k, 8):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.max(A[vi, vj], T.float32(0))

    @R.function
    def inner(x: R.Tensor(("n", 8), "float32")) -> R.Tensor(("n", 8), "float32"):
        n = T.var("int64")
        y = R.call_tir(max, (x,), R.Tensor((n, 8), dtype="float32"))
        return y

    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor(ndim=2, dtype="float32")):
        n, m = T.var("int64"), T.var("int64")
        v = R.match_cast(w, R.Tensor((m, 8), "float32"))
        y = inner(x)
        z = R.call_tir("elsewhere", (y, v), R.Tensor((n, m), dtype="float32"))
        _ = R.call_packed("vm.note", z, sinfo_args=R.Tensor((n, m), dtype="float32"))
        return z


@tvm.script.ir_module
class Called:
    @R.function
    def half(x: R.Tensor((4,), "float32")):
        return R.divide(x, R.const(2.0, "float32"))

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = half(x)
        z = R.reshape(y, (5,))
        #!               ^^^^ error[RLX0313]: R.reshape: the tensor has 4 elements, the new shape (5,) has 5
        #!     line 44: `y` is R.Tensor((4,), dtype="float32")
        #!     fix: change to `4`
        return z
