# rlx-golden: check
# What R.emit_te gives is a value like any other where topi's result is known.
from tvm import te, topi
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Values:
    @R.function
    def uses(x: R.Tensor((3, 4), "float32"), y: R.Tensor((5,), "float32")):
        a = R.emit_te(topi.abs, x)
        b = R.add(a, y)
        #!  ^^^^^^^^^^^ error[RLX0303]: R.add: shapes (3, 4) and (5,) can't be broadcast: dimension 1 is 4, dimension 0 of the other is 5
        #!     line 11: `a` is R.Tensor((3, 4), dtype="float32")
        #!     line 10: `y` is R.Tensor((5,), dtype="float32")
        #!     line 16: here, too
        c = R.const(a)
        #!          ^ error[RLX0443]: R.Tensor((3, 4), dtype="float32") can't be a constant tensor
        d: R.Tensor((3, 5), "float32") = R.emit_te(topi.tan, x)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((3, 5), dtype="float32"), but the value is R.Tensor((3, 4), dtype="float32"): dimension 1 is 4, expected 5
        #!     fix: annotate what is deduced
        e = R.match_cast(a, R.Tensor((4, 3), "float32"))
        #!                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0361]: this match_cast can never succeed: R.Tensor((3, 4), dtype="float32") against R.Tensor((4, 3), dtype="float32"): dimension 0 is 3, expected 4
        #!     fix: cast to what the value is
        f = R.add(R.emit_te(topi.cos, x), y)
        g = R.matmul(R.emit_te(topi.transpose, x), x)
        return g

    @R.function
    def tuples(x: R.Tensor((4, 2), "float32")):
        a = R.emit_te(topi.split, x, 2, 0)
        b, c = a
        d = R.add(b, x)
        #!  ^^^^^^^^^^^ error[RLX0303]: R.add: shapes (2, 2) and (4, 2) can't be broadcast: dimension 0 is 2, dimension 0 of the other is 4
        #!     line 23: `b` is R.Tensor((2, 2), dtype="float32")
        #!     line 21: `x` is R.Tensor((4, 2), dtype="float32")
        e = a[2]
        #!    ^ error[RLX0357]: index 2 is out of range for a tuple of 2
        #!     fix: change to `1`
        f = R.add(a[0], c)
        return f

    @R.function
    def unpacked(x: R.Tensor((4, 2), "float32")):
        a, b = R.emit_te(topi.split, x, 2, 1)
#!      ^^^^ error[RLX0360]: the result of a call can't be unpacked at once: bind it to a variable first
        #!     fix: bind the call to a variable first
        #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Values` has a function `split` already
        #!     line 22: the first one
        return a

    @R.function
    def symbolic(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4, "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        a = R.emit_te(topi.matmul, x, y)
        b = R.emit_te(topi.nn.relu, a)
        return R.multiply(a, b)

    @R.function
    def unknown(x: R.Tensor((3, 4), "float32"), y: R.Tensor((5,), "float32")):
        a = R.emit_te(lambda z: topi.sum(z, axis=0), x)
        b = R.add(a, y)
        c: R.Tensor((9,), "float32") = R.add(b, a)
        return R.add(c, y)
        #!     ^^^^^^^^^^^ error[RLX0303]: R.add: shapes (9,) and (5,) can't be broadcast: dimension 0 is 9, dimension 0 of the other is 5
        #!     line 44: `c` is R.Tensor((9,), dtype="float32")
        #!     line 41: `y` is R.Tensor((5,), dtype="float32")
