# rlx-golden: check
# Methods that are not called, functions of the module and strings that are not known, where numbers and expressions are wanted.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def side(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4,), "float32")):
        n = T.int64()
        a = R.prim_value(int(x.astype))
        #!                   ^^^^^^^^ error[RLX0446]: Python's `int`: `argument` is `.astype` by itself, expected a number
        b = R.permute_dims(x, axes=bool(x.astype))
        #!                         ^^^^^^^^^^^^^^ error[RLX0301]: R.permute_dims expects a list of ints as `axes`, found True
        c = R.abs(x.astype.shape)
        #!                 ^^^^^ error[RLX0203]: `x.astype.shape` does not exist
        d = R.reshape(x, Module.side >> 2)
        #!               ^^^^^^^^^^^^^^^^ error[RLX0421]: `>>` can't be applied to R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True) and the Python int 2
        e = R.reshape(x, [1] * Module.side)
        #!               ^^^^^^^^^^^^^^^^^ error[RLX0421]: `*` can't be applied to a list and R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
        f = R.stack(str(x), axis=0)
        #!          ^^^^^^ error[RLX0301]: R.stack expects a tuple of expressions as `tensors`, found a string
        g = R.const(f"{n}")
        #!          ^^^^^^ error[RLX0443]: the string "n" can't be a constant tensor
        h = R.sum(x, axis=(lambda: R.exp(x))())
        #!                ^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.sum expects an int or a list of ints as `axis`, found R.Tensor((n, 4), dtype="float32")
        #!                         ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        i = R.sum(x, axis=(lambda q: q)(R.exp(x)))
        #!                ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.sum expects an int or a list of ints as `axis`, found R.Tensor((n, 4), dtype="float32")
        #!                              ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        j = R.full((2,), R.const(1.0), (n is None))
        #!                              ^^^^^^^^^ error[RLX0301]: R.full expects a dtype as `dtype`, found False
        k = R.full((2,), R.const(1.0), "float32" if n is not None else 1)
        l = (Module.side or x)(y)
        return x
