# What 0.27 takes as operands: symbolic expressions are scalars of Relax, on the right of a tensor; no expression has a truth but a constant.
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Tensor((2, 3), "float32"), s: R.Shape([2, 3]), o: R.Object) -> R.Any:
    a = x - T.float32(0.5)
    #! a: R.Tensor((2, 3), dtype="float32")
    b = x >= T.int64(2)
    #! b: R.Tensor((2, 3), dtype="bool")
    c = x * T.int64(2)
    #!  ^^^^^^^^^^^^^^ error[RLX0302]: R.multiply: operands have different dtypes, float32 and int64
    #!     line 6: `x` is R.Tensor((2, 3), dtype="float32")
    #! c: R.Tensor((2, 3))
    d = bool(x)
    #!       ^ error[RLX0446]: Python's `bool`: `argument` is R.Tensor((2, 3), dtype="float32"), expected a number
    #! d: R.Object
    e = bool(R.const(1))
    #! e: R.Tensor((), dtype="bool")
    f = int(R.prim_value(2))
    #! f: R.Tensor((), dtype="int32")
    g = any(x)
    #!      ^ error[RLX0446]: Python's `any`: `argument` is R.Tensor((2, 3), dtype="float32"), expected a list
    #! g: R.Object
    h = list(s)
    #!       ^ error[RLX0446]: Python's `list`: `argument` is R.Shape([2, 3]), expected a list
    #! h: R.Object
    i = "a" in o
    #!  ^^^^^^^^ error[RLX0421]: `in` can't be applied to the string "a" and R.Object
    #! i: R.Object
    j = T.int64(2) == T.float32(1)
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0421]: `==` can't be applied to the symbolic integer `2` and the floating-point number `T.float32(1.0)`: both have one dtype
    #! j: R.Object
    k = T.int32(1) < T.int64(2)
    #! k: R.Prim(value=True)
    l = o and o
    #!  ^^^^^^^ error[RLX0421]: `and` can't be applied to R.Object and R.Object
    #! l: R.Object
    return x
