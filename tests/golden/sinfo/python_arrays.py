# Arrays of numpy and of TVM's runtime in R.const, and topi functions in R.emit_te.
import numpy as np
import tvm
from tvm import topi
from tvm.script import relax as R, tirx as T

WEIGHT = np.ones((4, 8), dtype="float32")
ROWS = 3


@R.function
def arrays(x: R.Tensor((ROWS, 4), "float32"), other: R.Object):
    a = R.const(np.zeros((2, ROWS)))
    #! a: R.Tensor((2, 3), dtype="float32")
    b = R.const(np.array([[1, 2], [3, 4]], dtype=np.float16))
    #! b: R.Tensor((2, 2), dtype="float16")
    c = R.const(np.array([1, 2, 3]))
    #! c: R.Tensor((3,), dtype="int32")
    d = R.const(tvm.runtime.tensor(np.zeros((2, 2), dtype="int64")))
    #! d: R.Tensor((2, 2), dtype="int64")
    e = R.const(np.arange(10), "int8")
    #! e: R.Tensor((10,), dtype="int8")
    f = R.const(np.random.rand(5, 2).astype("float32"))
    #! f: R.Tensor((5, 2), dtype="float32")
    g = R.matmul(x, R.const(WEIGHT))
    #! g: R.Tensor((3, 8), dtype="float32")
    h = R.const(np.full((2,), 1.5, "bfloat16"))
    #! h: R.Tensor((2,), dtype="bfloat16")
    i = R.const(np.iinfo(np.int32).max, "int32")
    #! i: R.Tensor((), dtype="int32")
    k = R.const(np.load("data.npy"))
    #! k: R.Tensor
    m = R.const(np.float16(0.5))
    #! m: R.Tensor((), dtype="float16")
    n = R.strided_slice(x, [0], [1], [T.int64(np.iinfo(np.int64).max)], assume_inbound=False)
    #! n: R.Tensor((2, 4), dtype="float32")
    o = R.reshape(x, (x.struct_info.shape[1], x.struct_info.shape[0]))
    #! o: R.Tensor((4, 3), dtype="float32")
    wrong = R.add(x, R.const(np.zeros((5, 7), "float32")))
    #!      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.add: shapes (3, 4) and (5, 7) can't be broadcast: dimension 1 is 4, dimension 1 of the other is 7
    #!     line 12: `x` is R.Tensor((3, 4), dtype="float32")
    #! wrong: R.Tensor(dtype="float32", ndim=2)
    return (a, b, c, d, e, f, g, h, i, k, m, n, o)


def te_func(x):
    return x


@R.function
def tensor_expressions(s: R.Shape(["n"]), x: R.Tensor((3, 4), "float32")):
    n = T.int64()
    a = R.emit_te(topi.full, [n, n], "float32", 0)
    #!  ^^^^^^^^^ error[RLX0455]: R.emit_te adds a function to the module, and this function stands in none
    #! a: R.Tensor((n, n), dtype="float32")
    b = R.emit_te(topi.trilu, a, tvm.tirx.const(1, "int32"), upper=True)
    #! b: R.Tensor((n, n), dtype="float32")
    c = R.emit_te(topi.broadcast_to, b, [1, 1, n, n])
    #! c: R.Tensor((1, 1, n, n), dtype="float32")
    d = R.emit_te(topi.transpose, x, primfunc_name_hint="te_transpose")
    #! d: R.Tensor((4, 3), dtype="float32")
    e = R.emit_te(topi.matmul, x, d)
    #! e: R.Tensor((3, 3), dtype="float32")
    f = R.emit_te(te_func, x)
    #!            ^^^^^^^ hint[RLX0202]: the value of `te_func` is known to Python only: it may be anything here
    #! f: R.Object
    return (c, e, f)


@R.function
def views(x: R.Tensor([4096], "uint8"), y: R.Tensor):
    a = R.ExternFunc("view", R.Callable(derive_func="tvm.relax.struct_info.infer_view_sinfo", purity=True))(x, R.shape([512]), R.dtype("int32"), R.prim_value(0))
    #! a: R.Tensor((512,), dtype="int32")
    b = R.ExternFunc("other", R.Callable(ret=R.Tensor(ndim=2), purity=True))(y)
    #! b: R.Tensor(ndim=2)
    return (a, b)


SEEDED = np.random.RandomState(3)
BIAS = (np.linspace(-1, 1, 6).reshape(2, 3) * 0.5 + np.eye(2, 3)).astype("float32")


@R.function
def computed(x: R.Tensor((2, 4), "float32")):
    a = R.matmul(R.const(BIAS.T), x)
    #! a: R.Tensor((3, 4), dtype="float32")
    b = R.const(np.concatenate([np.zeros((1, 3), "int8"), np.ones((4, 3), "uint8")]))
    #! b: R.Tensor((5, 3), dtype="int16")
    c = R.const(SEEDED.uniform(-1, 1, size=(2, 1, 3))[:, 0] / np.float32(2))
    #! c: R.Tensor((2, 3), dtype="float32")
    d = R.const(np.stack([BIAS, BIAS], axis=-1)[..., np.newaxis, 0])
    #! d: R.Tensor((2, 3, 1), dtype="float32")
    e = R.const(np.expand_dims(np.tri(4, dtype=np.int32), 0) * np.arange(4) > 2)
    #! e: R.Tensor((1, 4, 4), dtype="bool")
    f = R.const(np.ones((3,), "float32") * np.float64(2))  # numpy 1 and 2 differ in the dtype
    #! f: R.Tensor((3,))
    g = R.const(np.sqrt(2.0), "float32")
    #! g: R.Tensor((), dtype="float32")
    h = R.const(np.vectorize(abs)(BIAS))
    #! h: R.Tensor
    n = R.zeros((np.prod(BIAS.shape), 2), "float32")
    #! n: R.Tensor(({np.prod(BIAS.shape)}, 2), dtype="float32")
    wrong = R.add(x, R.const(np.tile(BIAS, (1, 2))))
    #!      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.add: shapes (2, 4) and (2, 6) can't be broadcast: dimension 1 is 4, dimension 1 of the other is 6
    #!     line 58: `x` is R.Tensor((2, 4), dtype="float32")
    #! wrong: R.Tensor(dtype="float32", ndim=2)
    return (a, b, c, d, e, f, g, h, n)
