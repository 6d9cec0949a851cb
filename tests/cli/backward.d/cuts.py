from tvm.script import relax as R


@R.function
def parts(x: R.Tensor, w: R.Tensor((2, 7, 5), "float16")):
    s = R.split(x, 4, axis=-2)
    second = s[1]
    sum = R.add(second, w)
    return sum


@R.function
def all_parts(x: R.Tensor(ndim=2), y: R.Tensor(("n", 3), "int8")):
    s = R.split(x, [3, 8], axis=1)
    a = R.match_cast(s[0], R.Tensor((6, 3), "int8"))
    last = s[2]
    c = R.match_cast(last, R.Tensor((6, 2), "int8"))
    return (a, c)


@R.function
def clamped(x: R.Tensor(ndim=2)):
    s = R.split(x, [3, 8], axis=1)
    last = s[2]
    c = R.match_cast(last, R.Tensor((6, 0), "int8"))
    return c


@R.function
def in_a_branch(c: R.Tensor((), "bool"), x: R.Tensor(ndim=1)):
    s = R.split(x, 2)
    if c:
        a = s[0]
        b = R.match_cast(a, R.Tensor((3,), "float16"))
    else:
        b = R.zeros((3,), "float16")
    return b


@R.function
def no_arrow(x: R.Tensor, y: R.Tensor, w: R.Tensor(("n", 5), "float32")) -> R.Tensor((7, 5), "float32"):
    # the labels of the result in their order: "kz"
    z: R.Tensor((5, 7), "float32") = R.einsum((x, w), "zn,nk")
    t: R.Tensor((7, 5), "float32") = R.einsum((y,), "ba")
    return t
