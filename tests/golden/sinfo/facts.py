# Facts help to prove: what a match_cast compared, what an assertion says, the condition of the branch one is in. They
# hold from the next statement on, and not behind the branch.
from tvm.script import relax as R, tirx as T


@R.function
def cast(x: R.Tensor(("n", "k"), "float32"), y: R.Tensor(("m", 4), "float32")):
    n = T.int64()
    m = T.int64()
    k = T.int64()
    before = R.add(x, y)
    #! before: R.Tensor(dtype="float32", ndim=2)
    x1 = R.match_cast(x, R.Tensor((m, 4), "float32"))
    #! x1: R.Tensor((m, 4), dtype="float32")   (deduced R.Tensor((n, k), dtype="float32"))
    after = R.add(x, y)
    #! after: R.Tensor((n, k), dtype="float32")
    same: R.Tensor((m, 4), "float32") = x
    #! same: R.Tensor((n, k), dtype="float32")
    wrong: R.Tensor((m + 1, 4), "float32") = x
    #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((m + 1, 4), dtype="float32"), but the value is R.Tensor((n, k), dtype="float32"): dimension 0 is n, expected m + 1 (3 against 4 for n = 3, m = 3)
    #!     fix: annotate what is deduced
    #! wrong: R.Tensor((m + 1, 4), dtype="float32")   (deduced R.Tensor((n, k), dtype="float32"))
    return after


@R.function(pure=False)
def assertion(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
    n = T.int64()
    m = T.int64()
    before = R.add(x, y)
    #! before: R.Tensor(dtype="float32", ndim=1)
    _ = R.assert_op(R.prim_value(n == m))
    #! _: R.Tuple
    after = R.add(x, y)
    #! after: R.Tensor((n,), dtype="float32")
    return after


@R.function
def branch(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
    n = T.int64()
    m = T.int64()
    if n == m:
    #! z: R.Tensor((n,), dtype="float32")
        z = R.add(x, y)
        #! z: R.Tensor((n,), dtype="float32")
    else:
        z = R.add(x, x)
        #! z: R.Tensor((n,), dtype="float32")
    behind = R.add(x, y)
    #! behind: R.Tensor(dtype="float32", ndim=1)
    return z


@R.function
def divisible(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n // 4", 4), "float32")):
    n = T.int64()
    s = R.match_cast(R.reshape(x, (n,)), R.Tensor((n // 4 * 4,), "float32"))
    #!               ^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #! gv: R.Tensor((n,), dtype="float32")
    #! s: R.Tensor((n // 4 * 4,), dtype="float32")   (deduced R.Tensor((n,), dtype="float32"))
    z: R.Tensor((n,), "float32") = R.reshape(y, (n // 4 * 4,))
    #! z: R.Tensor((n,), dtype="float32")   (deduced R.Tensor((n // 4 * 4,), dtype="float32"))
    return z


@R.function
def reshape(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
    n = T.int64()
    before: R.Tensor((n // 4 * 4,), "float32") = y
    #!      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0351]: annotated as R.Tensor((n // 4 * 4,), dtype="float32"), but the value is only known to be R.Tensor((n,), dtype="float32"): dimension 0 is n, expected n // 4 * 4 (2 against 0 for n = 2)
    #!     fix: check it with `R.match_cast`
    #! before: R.Tensor((n,), dtype="float32")
    rows = R.reshape(x, (n // 4, 4))
    #! rows: R.Tensor((n // 4, 4), dtype="float32")
    behind: R.Tensor((n // 4 * 4,), "float32") = y
    #! behind: R.Tensor((n,), dtype="float32")
    return behind
