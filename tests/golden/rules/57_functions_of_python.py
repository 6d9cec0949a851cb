# rlx-golden: check
# Python's own functions and operators beside symbolic expressions and operands of Relax, as both wheels take them: neither
# has a value, a truth or items while the script is read. What is not reported is accepted.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def refused(x: R.Tensor(("n",), "float32"), t: R.Tuple(R.Tensor, R.Tensor)):
    n = T.int64()
    a = R.zeros((int(n),), "float32")
    #!               ^ error[RLX0446]: Python's `int`: `argument` is the symbolic integer `n`, expected a number
    b = R.zeros((max(n, 1),), "float32")
    #!               ^ error[RLX0446]: Python's `max`: `argument` is the symbolic integer `n`, expected a number
    c = R.zeros((1, min(2, n * 2)), "float32")
    #!                     ^^^^^ error[RLX0446]: Python's `min`: `argument` is the symbolic integer `n * 2`, expected a number
    d = R.zeros((round(n),), "float32")
    #!                 ^ error[RLX0446]: Python's `round`: `argument` is the symbolic integer `n`, expected a number
    e = R.zeros((len(x),), "float32")
    #!               ^ error[RLX0446]: Python's `len`: `argument` is R.Tensor((n,), dtype="float32"), expected a list
    f = R.zeros((len(t),), "float32")
    #!               ^ error[RLX0446]: Python's `len`: `argument` is R.Tuple(R.Tensor, R.Tensor), expected a list
    g = R.zeros((1 if n else 2,), "float32")
    #!                ^ error[RLX0446]: a conditional expression: `condition` is the symbolic integer `n`, expected True, False or a symbolic condition
    h = R.zeros(([1, 2][n],), "float32")
    #!                  ^ error[RLX0446]: an item of a list: `index` is the symbolic integer `n`, expected an int
    i = R.zeros(([1, 2][T.int64(1)],), "float32")
    #!                  ^^^^^^^^^^ error[RLX0446]: an item of a list: `index` is the symbolic integer `1`, expected an int
    j = R.zeros((abs(T.int64(4)),), "float32")
    #!               ^^^^^^^^^^ error[RLX0446]: Python's `abs`: `argument` is the symbolic integer `4`, expected a number
    k = R.zeros((int("4x"),), "float32")
    #!               ^^^^ error[RLX0446]: Python's `int`: `argument` is the string "4x", expected a number
    l = R.zeros([2 * [4]], "float32")
    #!           ^^^^^^^ error[RLX0362]: a list is not a dimension: expected an integer or a symbolic integer
    m = bool(n < 2)
    #!       ^^^^^ error[RLX0446]: Python's `bool`: `argument` is the symbolic integer `n < 2` of dtype bool, expected a number
    o = max(x, 1)
    #!      ^ error[RLX0446]: Python's `max`: `argument` is R.Tensor((n,), dtype="float32"), expected a number
    p = -(n < 2)
    #!  ^^^^^^^^ error[RLX0421]: `-` can't be applied to the symbolic integer `n < 2` of dtype bool
    q = range(n)
    #!        ^ error[RLX0446]: Python's `range`: `argument` is the symbolic integer `n`, expected an int
    r = {3: x}[T.int64(4)]
    #!         ^^^^^^^^^^ error[RLX0446]: an item of a dict: `key` is the Python int 4, expected one of its keys
    return x


@R.function
def accepted(x: R.Tensor(("n",), "float32"), t: R.Tuple(R.Tensor, R.Tensor)):
    n = T.int64()
    a = R.zeros((int(T.int64(4)), int("1_0"), int(str(4))), "float32")
    b = R.zeros((n if n > 2 else T.int64(2),), "float32")
    c = R.zeros(2 * [4], "float32")
    d = R.zeros((len(R.shape([4, n])), len("ab"), max(1, 2)), "float32")
    e = "%s" % n
    f = R.concat(2 * (x,), axis=0)
    g = {3: x, 4: n}[T.int64(3)]
    return x
