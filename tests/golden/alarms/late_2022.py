# rlx-golden: check
# Late in 2022: today's annotations beside R.match_shape and outputs given by shape and dtype.
import tvm
from tvm.script import relax as R, tir as T


@tvm.script.ir_module
class Module:
    @T.prim_func
    def double(a: T.handle, b: T.handle) -> None:
        k = T.var("int64")
        A = T.match_buffer(a, (k, 8), "float32")
        B = T.match_buffer(b, (k, 8), "float32")
        for i, j in T.grid(k, 8):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor(None, "float32", ndim=2)) -> R.Tensor(None, "float32", ndim=2):
        n, m = T.var("int64"), T.var("int64")
        R.match_shape(w, (m, 8))
        y = R.call_tir(double, (x,), (n, 8), dtype="float32")
        z = R.call_packed("vm.note", y, type_args=(R.Tensor(ndim=2, dtype="float32")))
        return z


# `_` in an annotation is what is not known, also behind a bare `R.match_shape` and behind a binding to `_`.
@R.function
def blank(x: R.Tensor((n, 4), "float16"), s: R.Shape):
    R.match_shape(s, (n, q))
    a: R.Tensor(_, "float16") = R.call_tir("ext", (x,), (q,), dtype="float16")
    #! ^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tensor(dtype="float16"), deduced is R.Tensor((q,), dtype="float16")
    #!     fix: make annotation finer
    b: R.Tensor((_, 4), _) = R.add(x, x)
    #! ^^^^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tensor(ndim=2), deduced is R.Tensor((n, 4), dtype="float16")
    #!     fix: make annotation finer
    c = R.call_packed("f", x, type_args=(R.Tensor(_, "float16")))
    _ = R.nn.relu(x)
    d: R.Tuple(R.Tensor(_, "float16"), R.Shape) = (x, s)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tuple(R.Tensor(dtype="float16"), R.Shape(ndim=-1)), deduced is R.Tuple(R.Tensor((n, 4), dtype="float16"), R.Shape(ndim=-1))
    #!     fix: make annotation finer
    return (a, b, c, d)
