# rlx-golden: check
# A number beside a tensor: a constant of the tensor's dtype is the fix, where that holds the number as it is.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def held(x: R.Tensor((2,), "float32"), h: R.Tensor((2,), "float16"), i: R.Tensor((2,), "int8"), b: R.Tensor((2,), "bool")) -> R.Object:
    a = R.add(x, 0.5)
    #!           ^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the float 0.5
    #!     fix: wrap it as a constant
    c = R.multiply(2, x)
    #!             ^ error[RLX0301]: R.multiply expects a tensor as `x1`, found the int 2
    #!     fix: wrap it as a constant
    d = R.power(h, 2048)
    #!             ^^^^ error[RLX0301]: R.power expects a tensor as `x2`, found the int 2048
    #!     fix: wrap it as a constant
    e = R.maximum(i, -128)
    #!               ^^^^ error[RLX0301]: R.maximum expects a tensor as `x2`, found the int -128
    #!     fix: wrap it as a constant
    f = R.logical_and(b, True)
    #!                   ^^^^ error[RLX0301]: R.logical_and expects a tensor as `x2`, found True
    #!     fix: wrap it as a constant
    g = x * 2
    #!  ^^^^^ error[RLX0421]: `*` can't be applied to R.Tensor((2,), dtype="float32") and the Python int 2: wrap the number as `R.const(…)`
    #!     fix: wrap it as a constant
    return x


@R.function
def not_held(u: R.Tensor((2,)), h: R.Tensor((2,), "float16"), i: R.Tensor((2,), "int8"), n: R.Tensor((2,), "uint64")) -> R.Object:
    a = R.add(u, 0.5)
    #!           ^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the float 0.5
    #!     fix: make it a constant
    b = R.add(h, 1000000.0)
    #!           ^^^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the float 1e+06
    #!     fix: make it a constant
    c = R.add(h, 2049)
    #!           ^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the int 2049
    #!     fix: make it a constant
    d = R.add(i, 300)
    #!           ^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the int 300
    #!     fix: make it a constant
    e = R.add(i, 0.5)
    #!           ^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the float 0.5
    #!     fix: make it a constant
    f = R.maximum(n, -1)
    #!               ^^ error[RLX0301]: R.maximum expects a tensor as `x2`, found the int -1
    g = u + 1
    #!  ^^^^^ error[RLX0421]: `+` can't be applied to R.Tensor((2,)) and the Python int 1: wrap the number as `R.const(…)`
    j = i * 0.5
    #!  ^^^^^^^ error[RLX0421]: `*` can't be applied to R.Tensor((2,), dtype="int8") and the Python float 0.5: wrap the number as `R.const(…)`
    k = h - 70000
    #!  ^^^^^^^^^ error[RLX0421]: `-` can't be applied to R.Tensor((2,), dtype="float16") and the Python int 70000: wrap the number as `R.const(…)`
    return u
