# What TVM accepts and no tensor fits: patterns that contradict themselves, reshapes of tensors without elements. Warnings.
from tvm.script import relax as R, tirx as T


@R.function
def twice(x: R.Tensor((3, 4), "float32"), y: R.Tensor(("n", "n + 1"), "float32"), s: R.Shape([2, 5])):
    k, m, j = T.int64(), T.int64(), T.int64()
    a = R.match_cast(x, R.Tensor((k, k), "float32"))
    #!                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0361]: this match_cast can never succeed: R.Tensor((3, 4), dtype="float32") against R.Tensor((k, k), dtype="float32"): it asks for 3 == k and 4 == k
    #!     fix: cast to what the value is
    #! a: R.Tensor((k, k), dtype="float32")   (deduced R.Tensor((3, 4), dtype="float32"))
    b = R.match_cast(y, R.Tensor((m, m)))
    #!                  ^^^^^^^^^^^^^^^^ warning[RLX0361]: this match_cast can never succeed: R.Tensor((n, n + 1), dtype="float32") against R.Tensor((m, m)): it asks for n == m and n + 1 == m
    #!     fix: cast to what the value is
    #! b: R.Tensor((m, m))   (deduced R.Tensor((n, n + 1), dtype="float32"))
    c = R.match_cast(s, R.Shape([j, j + 4]))
    #!                  ^^^^^^^^^^^^^^^^^^^ warning[RLX0361]: this match_cast can never succeed: R.Shape([2, 5]) against R.Shape([j, j + 4]): it asks for 2 == j and 5 == j + 4
    #!     fix: cast to what the value is
    #! c: R.Shape([j, j + 4])   (deduced R.Shape([2, 5]))
    return (a, b, c)


@R.function
def arithmetic(x: R.Tensor((3, 4, 8), "float32"), y: R.Tensor((3, 4, 13), "float32"), z: R.Tensor((10, 4), "float32")):
    a, b, c, d, f = T.int64(), T.int64(), T.int64(), T.int64(), T.int64()
    x1 = R.match_cast(x, R.Tensor((a, b, a + b), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0361]: this match_cast can never succeed: R.Tensor((3, 4, 8), dtype="float32") against R.Tensor((a, b, a + b), dtype="float32"): it asks for 3 == a, 4 == b and 8 == a + b
    #!     fix: cast to what the value is
    #! x1: R.Tensor((a, b, a + b), dtype="float32")   (deduced R.Tensor((3, 4, 8), dtype="float32"))
    y1 = R.match_cast(y, R.Tensor((c, d, c * d), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0361]: this match_cast can never succeed: R.Tensor((3, 4, 13), dtype="float32") against R.Tensor((c, d, c * d), dtype="float32"): it asks for 3 == c, 4 == d and 13 == c * d
    #!     fix: cast to what the value is
    #! y1: R.Tensor((c, d, c * d), dtype="float32")   (deduced R.Tensor((3, 4, 13), dtype="float32"))
    z1 = R.match_cast(z, R.Tensor((f, f // 2), "float32"))
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0361]: this match_cast can never succeed: R.Tensor((10, 4), dtype="float32") against R.Tensor((f, f // 2), dtype="float32"): it asks for 10 == f and 4 == f // 2
    #!     fix: cast to what the value is
    #! z1: R.Tensor((f, f // 2), dtype="float32")   (deduced R.Tensor((10, 4), dtype="float32"))
    return (x1, y1, z1)


@R.function
def tuples(t: R.Tuple(R.Tensor((3,), "float32"), R.Tensor(("n",), "float32"), R.Tensor((4,), "float32"))):
    k, m = T.int64(), T.int64()
    a = R.match_cast(t, R.Tuple(R.Tensor((k,), "float32"), R.Tensor((m,), "float32"), R.Tensor((k,), "float32")))
    #!                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0361]: this match_cast can never succeed: R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((n,), dtype="float32"), R.Tensor((4,), dtype="float32")) against R.Tuple(R.Tensor((k,), dtype="float32"), R.Tensor((m,), dtype="float32"), R.Tensor((k,), dtype="float32")): it asks for 3 == k, n == m and 4 == k
    #!     fix: cast to what the value is
    #! a: R.Tuple(R.Tensor((k,), dtype="float32"), R.Tensor((m,), dtype="float32"), R.Tensor((k,), dtype="float32"))   (deduced R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((n,), dtype="float32"), R.Tensor((4,), dtype="float32")))
    return a


@R.function
def fine(x: R.Tensor((4, 4), "float32"), y: R.Tensor(("n", "m"), "float32"), z: R.Tensor((10, 5), "float32")):
    k, a, b, f = T.int64(), T.int64(), T.int64(), T.int64()
    x1 = R.match_cast(x, R.Tensor((k, k), "float32"))
    #! x1: R.Tensor((k, k), dtype="float32")   (deduced R.Tensor((4, 4), dtype="float32"))
    y1 = R.match_cast(y, R.Tensor((a, a), "float32"))
    #! y1: R.Tensor((a, a), dtype="float32")   (deduced R.Tensor((n, m), dtype="float32"))
    z1 = R.match_cast(z, R.Tensor((f, f // 2), "float32"))
    #! z1: R.Tensor((f, f // 2), dtype="float32")   (deduced R.Tensor((10, 5), dtype="float32"))
    return (x1, y1, z1)


@R.function
def empty(x: R.Tensor(("n", 3), "float32"), y: R.Tensor(("n", "m"), "float32"), z: R.Tensor(("n", 2), "float32")):
    n, m = T.int64(), T.int64()
    a = R.reshape(x, R.shape([n, 4]))
    #!               ^^^^^^^^^^^^^^^ warning[RLX0333]: the tensor has n * 3 elements, shape (n, 4) has n * 4: they are equal only where there are none
    #! a: R.Tensor((n, 4), dtype="float32")
    b = R.reshape(y, R.shape([2, m, n]))
    #!               ^^^^^^^^^^^^^^^^^^ warning[RLX0333]: the tensor has n * m elements, shape (2, m, n) has n * m * 2: they are equal only where there are none
    #! b: R.Tensor((2, m, n), dtype="float32")
    c = R.reshape(z, R.shape([n * n]))  # n = 2
    #! c: R.Tensor((n * n,), dtype="float32")
    d = R.reshape(y, R.shape([m, n]))
    #! d: R.Tensor((m, n), dtype="float32")
    return (a, b, c, d)


# What -1 stands for is a quotient: where it leaves a remainder for every n, only n = 0 is left.
@R.function
def left_over(x: R.Tensor(("n", 3), "float32"), y: R.Tensor(("n", "m"), "float32")):
    n = T.int64()
    m = T.int64()
    a = R.reshape(x, (n * 2, 4, -1))
    #!               ^^^^^^^^^^^^^^ warning[RLX0333]: the tensor has n * 3 elements, shape (n * 2, 4, n * 3 // (n * 8)) has n * (n * 3 // (n * 8)) * 8: they are equal only where there are none
    #! a: R.Tensor((n * 2, 4, n * 3 // (n * 8)), dtype="float32")
    b = R.reshape(x, (n * 2, -1))
    #!               ^^^^^^^^^^^ warning[RLX0333]: the tensor has n * 3 elements, shape (n * 2, n * 3 // (n * 2)) has n * (n * 3 // (n * 2)) * 2: they are equal only where there are none
    #! b: R.Tensor((n * 2, n * 3 // (n * 2)), dtype="float32")
    c = R.reshape(x, (n, 3, -1))
    #! c: R.Tensor((n, 3, 1), dtype="float32")
    d = R.reshape(y, (n, 2, -1))
    #! d: R.Tensor((n, 2, n * m // (n * 2)), dtype="float32")
    e = R.reshape(y, (n * m * 2, -1))
    #!               ^^^^^^^^^^^^^^^ warning[RLX0333]: the tensor has n * m elements, shape (n * m * 2, n * m // (n * m * 2)) has n * m * (n * m // (n * m * 2)) * 2: they are equal only where there are none
    #! e: R.Tensor((n * m * 2, n * m // (n * m * 2)), dtype="float32")
    f = R.reshape(x, (4, -1))
    #! f: R.Tensor((4, n * 3 // 4), dtype="float32")
    g = R.reshape(x, (n + 1, -1))
    #! g: R.Tensor((n + 1, n * 3 // (n + 1)), dtype="float32")
    return a
