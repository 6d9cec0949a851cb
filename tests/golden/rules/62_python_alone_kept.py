# What Python alone knows, and what is wrong whatever it is: calls among the dimensions, shapes of unknown rank, axes and
# strides, one name in several functions.
import math
import os

from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

ROWS = int(os.environ.get("ROWS", "8"))
AXIS = int(os.environ.get("AXIS", "0"))
SHAPE = tuple(int(v) for v in os.environ.get("SHAPE", "2,3").split(","))
TWICE = int(os.environ.get("TWICE", "1"))


def padded(n):
    return (n + 7) // 8 * 8


@R.function
def calls(x: R.Tensor((padded(5), 3), "float32"), y: R.Tensor((4, math.ceil(ROWS / 2)), "float32")):
#!                     ^^^^^^ hint[RLX0202]: the value of `padded` is known to Python only: it may be anything here
#!                                                                          ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
    a = R.matmul(x, y)
    #!  ^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 3 in ({padded(5)}, 3), 4 in (4, {math.ceil(ROWS / 2)})
    #!     line 21: `x` is R.Tensor(({padded(5)}, 3), dtype="float32")
    #!     line 21: `y` is R.Tensor((4, {math.ceil(ROWS / 2)}), dtype="float32")
    #!     fix: declare dimension 0 of `y` as 3
    #! a: R.Tensor(({padded(5)}, {math.ceil(ROWS / 2)}), dtype="float32")
    b = R.concat([x, R.zeros((padded(5), 2), "float32")], axis=1)
    #!               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!                        ^^^^^^ hint[RLX0202]: the value of `padded` is known to Python only: it may be anything here
    #! gv: R.Tensor(({padded(5)}, 2), dtype="float32")
    #! b: R.Tensor(({padded(5)}, 5), dtype="float32")
    return b


@R.function
def ranks(x: R.Tensor(SHAPE, "float16"), y: R.Tensor(SHAPE, "int64"), z: R.Tensor(SHAPE, "float16")):
#!                    ^^^^^ hint[RLX0202]: the value of `SHAPE` is known to Python only: it may be anything here
#!                                                   ^^^^^ hint[RLX0202]: the value of `SHAPE` is known to Python only: it may be anything here
#!                                                                                ^^^^^ hint[RLX0202]: the value of `SHAPE` is known to Python only: it may be anything here
    a = R.add(x, z)
    #! a: R.Tensor(dtype="float16")
    b = R.permute_dims(x, [1, 0])
    #! b: R.Tensor(dtype="float16", ndim=2)
    c = R.multiply(x, y)
    #!  ^^^^^^^^^^^^^^^^ error[RLX0302]: R.multiply: operands have different dtypes, float16 and int64
    #!     line 28: `x` is R.Tensor(dtype="float16")
    #!     line 28: `y` is R.Tensor(dtype="int64")
    #!     fix: cast the right operand to float16
    #! c: R.Tensor
    return a


@R.function
def attributes(x: R.Tensor((2, 6, 9), "float32"), w: R.Tensor((4, 5, 3), "float32"), i: R.Tensor((2,), "float32"), v: R.Tensor(SHAPE, "float32")):
#!                                                                                                                             ^^^^^ hint[RLX0202]: the value of `SHAPE` is known to Python only: it may be anything here
    a = R.sum(x, axis=[AXIS])
    #!                 ^^^^ hint[RLX0202]: the value of `AXIS` is known to Python only: it may be anything here
    #! a: R.Tensor(dtype="float32")
    b = R.split(x, ROWS, axis=AXIS)
    #!             ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
    #!                        ^^^^ hint[RLX0202]: the value of `AXIS` is known to Python only: it may be anything here
    #! b: R.Object
    c = R.take(x, i, axis=AXIS)
    #!            ^ error[RLX0309]: R.take: `indices` has dtype float32, expected an integer dtype
    #!     fix: cast it to int64
    #!                    ^^^^ hint[RLX0202]: the value of `AXIS` is known to Python only: it may be anything here
    #! c: R.Tensor(dtype="float32", ndim=3)
    d = R.nn.conv1d(x, w, strides=ROWS)
    #!              ^ error[RLX0312]: R.nn.conv1d: dimension 1 of `data` is 6, expected 5
    #!     line 36: `x` is R.Tensor((2, 6, 9), dtype="float32")
    #!     line 36: `w` is R.Tensor((4, 5, 3), dtype="float32")
    #!                            ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
    #! d: R.Tensor(dtype="float32", ndim=3)
    e = R.stack([x, w], axis=AXIS)
    #!                       ^^^^ hint[RLX0202]: the value of `AXIS` is known to Python only: it may be anything here
    #! e: R.Tensor(dtype="float32", ndim=4)
    f = R.permute_dims(v, axes=[AXIS, 1 - AXIS])
    #!                          ^^^^ hint[RLX0202]: the value of `AXIS` is known to Python only: it may be anything here
    #!                                    ^^^^ hint[RLX0202]: the value of `AXIS` is known to Python only: it may be anything here
    #! f: R.Tensor(dtype="float32")
    return a


@I.ir_module
class Names:
    @T.prim_func(s_tir=True)
    def copy(A: T.Buffer((ROWS, 2), "float32"), B: T.Buffer((2, ROWS), "float32")):
        for i, j in T.grid(ROWS, 2):
            with T.sblock("copy"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vj, vi] = A[vi, vj]

    @R.function
    def callee(x: R.Tensor((ROWS, 2), "float32")) -> R.Tensor((ROWS, 2), "float32"):
    #!                      ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
    #!                                                         ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
        return R.abs(x)
        #! gv: R.Tensor(({ROWS}, 2), dtype="float32")

    @R.function
    def right(x: R.Tensor((ROWS * 3 // 3, 2), "float32"), y: R.Tensor((8, 2), "float32")):
    #!                     ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
        cls = Names
        a = cls.callee(x)
        #! a: R.Tensor(({ROWS}, 2), dtype="float32")
        b = cls.callee(y)
        #! b: R.Tensor(({ROWS}, 2), dtype="float32")
        c = R.call_tir(cls.copy, (a,), out_sinfo=R.Tensor((2, ROWS), "float32"))
        #!                                                    ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
        #! c: R.Tensor((2, {ROWS}), dtype="float32")
        return (b, c)

    @R.function
    def wrong(x: R.Tensor((2 * ROWS + 1, 2), "float32"), y: R.Tensor((ROWS, 2), "float32")):
    #!                         ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
    #!                                                                ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
        cls = Names
        a = cls.callee(R.concat([y, R.zeros((1, 2), "float32")], axis=0))
        #!             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0427]: argument 0 of `callee` is R.Tensor(({ROWS} + 1, 2), dtype="float32"), expected R.Tensor(({ROWS}, 2), dtype="float32"): dimension 0 is {ROWS} + 1, expected {ROWS} (3 against 2 for {ROWS} = 2)
        #!     line 56: declared here
        #!             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                          ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((1, 2), dtype="float32")
        #! gv1: R.Tensor(({ROWS} + 1, 2), dtype="float32")
        #! a: R.Tensor(({ROWS}, 2), dtype="float32")
        b = R.call_tir(cls.copy, (y,), out_sinfo=R.Tensor((2, ROWS + 2), "float32"))
        #!                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0440]: output 0 of `copy` is R.Tensor((2, {ROWS} + 2), dtype="float32"), expected R.Tensor((2, {ROWS}), dtype="float32"): dimension 1 is {ROWS} + 2, expected {ROWS} (4 against 2 for {ROWS} = 2)
        #!     line 49: this parameter of the PrimFunc
        #!                                                    ^^^^ hint[RLX0202]: the value of `ROWS` is known to Python only: it may be anything here
        #! b: R.Tensor((2, {ROWS} + 2), dtype="float32")
        return b


# A name that is bound again may be another number in each function.
@I.ir_module
class Again:
    @R.function
    def callee(x: R.Tensor((TWICE, 2), "float32")) -> R.Tensor((TWICE, 2), "float32"):
    #!                      ^^^^^ hint[RLX0202]: the value of `TWICE` is known to Python only: it may be anything here
    #!                                                          ^^^^^ hint[RLX0202]: the value of `TWICE` is known to Python only: it may be anything here
        return R.abs(x)
        #! gv: R.Tensor(({TWICE}, 2), dtype="float32")

    @R.function
    def main(x: R.Tensor((TWICE + 1, 2), "float32")):
    #!                    ^^^^^ hint[RLX0202]: the value of `TWICE` is known to Python only: it may be anything here
        cls = Again
        a = cls.callee(x)
        #! a: R.Tensor(({TWICE} + 1, 2), dtype="float32")
        return a


TWICE = TWICE + 1
