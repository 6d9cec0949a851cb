# What stands behind the colon of a head, with a block below: CPython refuses the first line of the block. What is meant stays known.
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 3), "float32")): pass
        lv = R.matmul(x, w)
#!      ^^^^^^^^^^^^^^^^^^^ error[RLX0101]: this line is indented below a head whose block stands behind its colon
        #! lv: R.Tensor((n, 3), dtype="float32")
        return lv

    @R.function
    def blocks(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 3), "float32")):
        with R.dataflow(): lv = R.exp(x)
        #! lv: R.Tensor((4, 4), dtype="float32")

            # a comment
            lv1 = R.matmul(lv, w)
#!          ^^^^^^^^^^^^^^^^^^^^^ error[RLX0101]: this line is indented below a head whose block stands behind its colon
            #! lv1: R.Tensor((4, 3), dtype="float32")
            R.output(lv1)
        lv2 = R.matmul(w, lv1)
        #!    ^^^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 3 in (4, 3), 4 in (4, 3)
        #!     line 13: `w` is R.Tensor((4, 3), dtype="float32")
        #!     line 17: `lv1` is R.Tensor((4, 3), dtype="float32")
        #!     fix: transpose the right operand
        #! lv2: R.Tensor((4, 3), dtype="float32")
        return lv1

    @T.prim_func
    def loops(A: T.Buffer((4, 4), "float32")):
        for i in range(4): A[i, 0] = T.float32(0)
            for j in range(4):
#!          ^^^^^^^^^^^^^^^^^^ error[RLX0101]: this line is indented below a head whose block stands behind its colon
                A[i, j] = T.float32(1)

    @R.function
    def shallow(x: R.Tensor((4,), "float32")): return x
    y = 3
