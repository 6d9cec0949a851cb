# From 0.26 on `n = T.int64(4)` in a body is a variable of the body, and the signature's `n` is another one, which may be any length.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def any_length(x: R.Tensor(("rows", 3), "float32"), a: T.int64):
        rows = T.int64(6)
        #! rows: R.Prim(value=6)
        y = R.zeros((rows, 3), "float32")
        #! y: R.Tensor((6, 3), dtype="float32")
        z = R.add(x, R.ones((7, 3), "float32"))
        #!           ^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((7, 3), dtype="float32")
        #! z: R.Tensor(dtype="float32", ndim=2)
        return (y, z)

    @R.function
    def main(x: R.Tensor((7, 3), "float32"), a: T.int64):
        cls = Module
        both = cls.any_length(x, a)
        #! both: R.Tuple(R.Tensor((6, 3), dtype="float32"), R.Tensor(dtype="float32", ndim=2))
        wrong: R.Tensor((5, 3), "float32") = R.zeros(R.shape([6, 3]), "float32")
        #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((5, 3), dtype="float32"), but the value is R.Tensor((6, 3), dtype="float32"): dimension 0 is 6, expected 5
        #!     line 18: the value is the result of R.zeros
        #!     fix: annotate what is deduced
        #! wrong: R.Tensor((5, 3), dtype="float32")   (deduced R.Tensor((6, 3), dtype="float32"))
        return both
