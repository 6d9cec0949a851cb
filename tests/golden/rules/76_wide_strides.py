# Strides that Python computes for a buffer's layout have 64 bits; a shift by less than nothing; a whole float is a length.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tirx as T


@T.prim_func(s_tir=True)
def parameter(A: T.Buffer((8, 1099511627776, 1073741824), "int8")):
#!                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a buffer of this shape has strides beyond what 64 bits hold
    T.evaluate(0)


@T.prim_func(s_tir=True)
def first_of_all(A: T.Buffer((4611686018427387904, 2147483648, 2147483648), "int8"), n: T.int64):
    B = T.alloc_buffer((3, 1099511627776, 1099511627776), "int8")
    T.evaluate(0)


@T.prim_func
def memory():
    B = T.alloc_buffer((3, 1099511627776, 1099511627776), "int8")
    #!                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a buffer of this shape has strides beyond what 64 bits hold
    B[0, 0, 0] = T.int8(1)


@T.prim_func(s_tir=True)
def shifted(A: T.Buffer((4,), "int32")):
    A[0] >>= -2147483648
    #!       ^^^^^^^^^^^ error[RLX0614]: the shift is by as many bits as the value has, or more


@I.ir_module(s_tir=True)
class Lengths:
    @T.prim_func(s_tir=True)
    def rows(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 6.0))
        B = T.match_buffer(b, (n, 3.0))
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor(("n", 6), "float32")):
        n = T.int64()
        y = R.call_tir(Lengths.rows, (x,), R.Tensor((n, 3), "float32"))
        z = R.call_tir(Lengths.rows, (x,), R.Tensor((n, 2), "float32"))
        #!                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0440]: output 0 of `rows` is R.Tensor((n, 2), dtype="float32"), expected R.Tensor((n, 3), dtype="float32"): dimension 1 is 2, expected 3
        #!     line 31: this parameter of the PrimFunc
        #!     line 41: the callee's `n` is n, dimension 0 of this argument
        return (y, z)
