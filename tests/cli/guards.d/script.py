# Operators whose operands do not fit when they run: an error that says where, never memory of somebody else.
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def taken(x: R.Tensor((3, 2), "float32"), i: R.Tensor(("k",), "int64")):
        return R.take(x, i, axis=0)

    @R.function
    def taken_clip(x: R.Tensor(("n", 2), "float32"), i: R.Tensor(("k",), "int64")):
        return R.take(x, i, axis=0, mode="clip")

    @R.function
    def taken_wrap(x: R.Tensor(("n", 2), "float32"), i: R.Tensor(("k",), "int64")):
        return R.take(x, i, axis=0, mode="wrap")

    @R.function
    def taken_nan(x: R.Tensor((3,), "float32"), i: R.Tensor(("k",), "int64")):
        return R.take(x, i, axis=0, mode="nan")

    # The place is checked against the sum, which is not computed for the places that are taken only.
    @R.function
    def taken_of_sum(x: R.Tensor((1, 2), "float32"), y: R.Tensor((3, 1), "float32"), i: R.Tensor(("k",), "int64")):
        return R.take(R.add(x, y), i, axis=0)

    @R.function
    def elements(x: R.Tensor((2, 3), "float32"), i: R.Tensor((2, 2), "int64")):
        return R.gather_elements(x, i, axis=1)

    @R.function
    def nd(x: R.Tensor((2, 3), "float32"), i: R.Tensor(("k", 2), "int64")):
        return R.gather_nd(x, i)

    @R.function
    def indexed(x: R.Tensor((2, 3), "float32"), i: R.Tensor((2,), "int64"), j: R.Tensor((2,), "int64")):
        return R.index_tensor(x, (i, j))

    @R.function
    def scattered(x: R.Tensor((3,), "float32"), i: R.Tensor((2,), "int64"), u: R.Tensor((2,), "float32")):
        return R.scatter_elements(x, i, u, reduction="add")

    @R.function
    def scattered_nd(x: R.Tensor((3,), "float32"), i: R.Tensor((2, 1), "int64"), u: R.Tensor((2,), "float32")):
        return R.scatter_nd(x, i, u)

    @R.function
    def put(x: R.Tensor((3,), "float32"), i: R.Tensor((2,), "int64"), u: R.Tensor((2,), "float32")):
        return R.index_put(x, (i,), u)

    @R.function
    def sliced(x: R.Tensor(("n",), "float32")):
        return R.strided_slice(x, [0], [4], [6], assume_inbound=True)

    @R.function
    def stretched(x: R.Tensor(("m",), "float32"), y: R.Tensor(("n",), "float32")):
        n = T.int64()
        return R.broadcast_to(x, (n,))

    @R.function
    def slopes(x: R.Tensor((1, 4), "float32"), a: R.Tensor(("n",), "float32")):
        return R.nn.prelu(x, a)

    @R.function
    def mirrored(x: R.Tensor(("n",), "float32")):
        return R.nn.pad(x, (0, 3), pad_mode="reflect")

    @R.function
    def summed(x: R.Tensor((4, "n"), "float32"), i: R.Tensor(("k",), "int64")):
        return R.sum(R.take(x, i, axis=0), axis=0)

    @R.function
    def sorted_static(x: R.Tensor((7,), "float32")):
        return (R.sort(x), R.argsort(x), R.sort(x, descending=True), R.argsort(x, descending=True))

    @R.function
    def sorted_symbolic(x: R.Tensor(("n",), "float32")):
        return (R.sort(x), R.argsort(x), R.sort(x, descending=True), R.argsort(x, descending=True))

    @R.function
    def largest(x: R.Tensor(("n",), "float32")):
        return R.topk(x, k=3)

    @R.function
    def smallest(x: R.Tensor(("n", 2), "int64")):
        return R.topk(x, k=2, axis=0, largest=False)

    @R.function
    def middle(x: R.Tensor(("n",), "float32")):
        return R.median(x, axis=[0])

    # Cuts in any order: each part starts at its own.
    @R.function
    def parts(x: R.Tensor((2, "n"), "float32")):
        return R.split(x, [4, 1, 9], axis=1)

    @T.prim_func
    def scratch(A: T.Buffer((2,), "int64"), B: T.Buffer((2,), "int64"), n: T.int64):
        C = T.alloc_buffer((n, n, n, n), "int64")
        for i in range(2):
            C[0, 0, 0, i] = A[i]
        for i in range(2):
            B[i] = C[0, 0, 0, i]

    @R.function
    def huge(x: R.Tensor((2,), "int64"), s: R.Tensor((1,), "int64")):
        cls = Module
        n = T.int64()
        shape: R.Shape([n]) = R.match_cast(R.tensor_to_shape(s), R.Shape([n]))
        return R.call_tir(cls.scratch, (x,), out_sinfo=R.Tensor((2,), "int64"), tir_vars=R.shape([n]))

    # Indices that move with the loop: checked before it.
    @T.prim_func
    def shift(A: T.handle, B: T.handle):
        n = T.int32()
        m = T.int32()
        a = T.match_buffer(A, (n,), "float32")
        b = T.match_buffer(B, (m,), "float32")
        for i in range(m):
            with T.block("shift"):
                vi = T.axis.spatial(m, i)
                b[m - 1 - vi] = a[vi * 2 + 1]

    @R.function
    def odd(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
        cls = Module
        m = T.int64()
        return R.call_tir(cls.shift, (x,), out_sinfo=R.Tensor((m,), "float32"))
