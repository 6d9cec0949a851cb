# What tlc-pack's parser took: it compared no arguments, declared dimensions where an annotation names them, let R.match_shape
# in a dataflow block bind for the whole function, and read PrimFuncs in Relax functions. What is refuted is told all the same.
# rlx-golden: check
import tvm
from tvm import relax
from tvm.runtime.object import Object
from tvm.script import relax as R, tir as T


@tvm.script.ir_module(metadata="{}")
class Module:
    @T.prim_func
    def double(a: T.handle, b: T.handle):
        A = T.match_buffer(a, (8, 8), "float32")
        B = T.match_buffer(b, (8, 8), "float32")
        for i, j in T.grid(8, 8):
            with T.block("double"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function
    def undecided(x: R.Tensor(("n", "n")), m: R.Shape(["h", "w"])) -> Object:
        n, h, w = T.var("int64"), T.var("int64"), T.var("int64")
        y = R.call_tir(double, (x,), (n, n), dtype="float32")
        z = R.call_tir(double, (y,), (h + 1, w), dtype="float32")
        _ = double(x, z)
        return z

    @R.function
    def refuted(x: R.Tensor((4, 8), "float32"), k: R.Tensor((8, 8), "int32")) -> Object:
        y = R.call_tir(double, (k,), (8, 8), dtype="float32")
        #!                      ^ error[RLX0440]: input 0 of `double` is R.Tensor((8, 8), dtype="int32"), expected R.Tensor((8, 8), dtype="float32"): the dtype is int32, expected float32
        #!     line 13: this parameter of the PrimFunc
        return y


@R.function
def dimensions(x: R.Tensor((3, 3), "float32"), v: R.Tensor((2, 3, 5), "float32", ndim=3)) -> Object:
    rows: R.Tensor((k, m), "float32") = R.call_packed("contrib.rows", x, type_args=(R.Tensor(ndim=2, dtype="float32")))
    #!    ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((k, m), dtype="float32"), but the value is only known to be R.Tensor(dtype="float32", ndim=2): the dimensions are not known
    #!     fix: check it with `R.match_cast`
    t = R.Tuple((x, rows))
    a = t[0]
    with R.dataflow():
        b: R.Tensor((p, q), "float32") = R.match_shape(a, (p, q))
        c = R.add(b, b)
        R.output(c)
    d: R.Tensor((p, q), "float32") = R.multiply(c, a)
    e: R.Tensor[s] = R.call_packed("contrib.any", d, type_args=R.Void)
    #!          ^ error[RLX0201]: `s` is not defined
    return d


@R.function
def inner(x: R.Tensor((16,), "float32"), c: R.Tensor((1,), "float32")) -> Object:
    @T.prim_func
    def copy(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in range(16):
            with T.block("copy"):
                vi = T.axis.spatial(16, i)
                B[vi] = A[vi]

    y = R.call_tir(copy, (x,), (16,), dtype="float32")
    _ = R.call_builtin("vm.builtin.check", [x], int_args=[2])
    if c:
    #! ^ warning[RLX0434]: the condition is R.Tensor((1,), dtype="float32"), expected a scalar bool tensor or `R.Prim("bool")`
        z = y
    else:
        z = x
    return z
