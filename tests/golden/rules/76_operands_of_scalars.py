# rlx-golden: check
# Operators that bools and scalars do not have, in 0.25.
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Tensor(("n", "m"), "float32"), i: R.Prim(value="k")) -> R.Object:
    n = T.int64()
    m = T.int64()
    a = R.prim_value(False / m)
    #!               ^^^^^^^^^ error[RLX0421]: `/` can't be applied to `False` and the symbolic integer `m`
    b = R.prim_value(m // False)
    #!               ^^^^^^^^^^ error[RLX0421]: `//` can't be applied to the symbolic integer `m` and `False`
    c = R.prim_value((n <= m) % 4)
    #!               ^^^^^^^^^^^^ error[RLX0421]: `%` can't be applied to the symbolic integer `n <= m` of dtype bool and the Python int 4
    d = R.prim_value(m >> True)
    #!               ^^^^^^^^^ error[RLX0421]: `>>` can't be applied to the symbolic integer `m` and `True`
    e = R.prim_value(True + n)
    f = R.prim_value(T.uint8(7) / T.uint8(2))
    g = R.prim_value(T.int8(7) / True)
    #!               ^^^^^^^^^^^^^^^^ error[RLX0421]: `/` can't be applied to the symbolic integer `T.int8(7)` and `True`
    h = R.prim_value(n) - R.prim_value(m)
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0421]: `-` can't be applied to R.Prim(value=n) and R.Prim(value=m)
    j = R.prim_value(n) >= R.str("a")
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0421]: `>=` can't be applied to R.Prim(value=n) and R.Object
    q = R.prim_value(n) == R.prim_value(n)
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0449]: `==` looks at the Python objects here: the result is the constant False; write `R.equal(…)` to compare the elements
    #!     fix: write `R.equal(…)`
    l = R.dtype("int8") ** R.dtype("int8")
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0421]: `**` can't be applied to R.Object and R.Object
    o = R.prim_value(2) * x
    #!  ^^^^^^^^^^^^^^^^^^^ error[RLX0302]: R.multiply: operands have different dtypes, int64 and float32
    #!     line 7: `x` is R.Tensor((n, m), dtype="float32")
    p = i + i
    return x
