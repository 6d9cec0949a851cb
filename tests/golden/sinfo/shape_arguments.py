# The shape that an argument is goes into a callee's result that has the parameter's shape.
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def by_shape(x: R.Tensor, s: R.Shape(ndim=2)):
        y = R.reshape(x, s)
        #! y: R.Tensor(s)
        return y

    @R.function
    def pair(x: R.Tensor(dtype="float32"), s: R.Shape, t: R.Shape(ndim=1)):
        y = R.reshape(x, s)
        #! y: R.Tensor(s, dtype="float32")
        z = R.full(t, R.const(0, "int32"), "int32")
        #! z: R.Tensor(t, dtype="int32")
        return (y, z)

    @R.function
    def stated(x: R.Tensor, s: R.Shape(ndim=2)) -> R.Tensor(ndim=2):
        y = R.reshape(x, s)
        #! y: R.Tensor(s)
        return y

    @R.function
    def main(x: R.Tensor((12,), "float32"), t: R.Tensor(("a", "b"), "float32"), u: R.Shape(ndim=2), v: R.Shape):
        a = T.int64()
        b = T.int64()
        cls = Module
        constant = cls.by_shape(x, R.shape([3, 4]))
        #! constant: R.Tensor((3, 4))
        symbolic = cls.by_shape(x, R.shape_of(t))
        #!                         ^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Shape([a, b])
        #! symbolic: R.Tensor((a, b))
        variable = cls.by_shape(x, u)
        #! variable: R.Tensor(u)
        both = cls.pair(x, R.shape([2, 6]), R.shape([a]))
        #! both: R.Tuple(R.Tensor((2, 6), dtype="float32"), R.Tensor((a,), dtype="int32"))
        mixed = cls.pair(x, v, R.shape([5]))
        #! mixed: R.Tuple(R.Tensor(v, dtype="float32"), R.Tensor((5,), dtype="int32"))
        coarse = cls.stated(x, R.shape([3, 4]))
        #! coarse: R.Tensor(ndim=2)

        @R.function
        def inner(p: R.Tensor, s: R.Shape(ndim=2)):
        #! inner: R.Callable((R.Tensor, R.Shape(ndim=2)), R.Tensor(s), True)
            q = R.reshape(p, s)
            #! q: R.Tensor(s)
            return q
        nested = inner(x, R.shape([b, 4]))
        #! nested: R.Tensor((b, 4))
        return constant
