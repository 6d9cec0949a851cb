# rlx-golden: check
# Rule 10: argument count and static types agree with the callee; attributes are known to the operator, of the right kind,
# and within their domain.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Calls:
    @R.function
    def f(x: R.Tensor((2,), "float32"), n: R.Prim("int64")) -> R.Tensor((2,), "float32"):
        return x

    @R.function
    def too_few(x: R.Tensor((2,), "float32")):
        cls = Calls
        y = cls.f(x)
        #!      ^ error[RLX0426]: `f` takes 2 arguments, 1 given
        #!     line 10: declared here
        return y

    @R.function
    def too_many(x: R.Tensor((2,), "float32")):
        cls = Calls
        y = cls.f(x, R.prim_value(1), x)
        #!      ^ error[RLX0426]: `f` takes 2 arguments, 3 given
        #!     line 10: declared here
        #!     line 28: here, too
        return y

    @R.function
    def too_many_and_no_value(x: R.Tensor((2,), "float32")):
        cls = Calls
        y = cls.f(x, R.prim_value(1), 1.5)
        return y

    @R.function
    def no_value_and_another_kind(x: R.Tensor((2,), "float32")):
        cls = Calls
        y = cls.f(1.5, 2)
        #!        ^^^ error[RLX0427]: argument 0 of `f` is R.Prim(value=T.float64(1.5)), expected R.Tensor((2,), dtype="float32"): R.Prim(value=T.float64(1.5)) is not R.Tensor((2,), dtype="float32")
        #!     line 10: declared here
        #!             ^ error[RLX0442]: the Python int 2 is not a Relax value
        #!     fix: write it as `R.prim_value(…)`
        z = cls.f(x, 2.5)
        #!           ^^^ error[RLX0427]: argument 1 of `f` is R.Prim(value=T.float64(2.5)), expected R.Prim("int64"): the dtype is float64, expected int64
        #!     line 10: declared here
        return (y, z)

    @R.function
    def other_kind(x: R.Tensor((2,), "float32")):
        cls = Calls
        y = cls.f(R.shape([2]), R.prim_value(1))
        #!        ^^^^^^^^^^^^ error[RLX0427]: argument 0 of `f` is R.Shape([2]), expected R.Tensor((2,), dtype="float32"): R.Shape([2]) is not R.Tensor((2,), dtype="float32")
        #!     line 10: declared here
        return y

    @R.function
    def other_dtype(x: R.Tensor((2,), "float16")):
        cls = Calls
        y = cls.f(x, R.prim_value(1))
        #!        ^ error[RLX0427]: argument 0 of `f` is R.Tensor((2,), dtype="float16"), expected R.Tensor((2,), dtype="float32"): the dtype is float16, expected float32
        #!     line 10: declared here
        return y

    @R.function
    def other_rank(x: R.Tensor((2, 2), "float32")):
        cls = Calls
        y = cls.f(x, R.prim_value(1))
        #!        ^ error[RLX0427]: argument 0 of `f` is R.Tensor((2, 2), dtype="float32"), expected R.Tensor((2,), dtype="float32"): the number of dimensions is 2, expected 1
        #!     line 10: declared here
        return y

    @R.function
    def other_dimension(x: R.Tensor((3,), "float32")):
        cls = Calls
        y = cls.f(x, R.prim_value(1))
        #!        ^ error[RLX0427]: argument 0 of `f` is R.Tensor((3,), dtype="float32"), expected R.Tensor((2,), dtype="float32"): dimension 0 is 3, expected 2
        #!     line 10: declared here
        #!     fix: declare dimension 0 of `x` as 2
        return y

    @R.function
    def right(x: R.Tensor((2,), "float32")):
        cls = Calls
        y = cls.f(x, R.prim_value(1))
        return y


@R.function
def operator_arguments(x: R.Tensor((2, 3), "float32"), i: R.Tensor((2,), "int64")):
    a = R.abs()
    #!    ^^^ error[RLX0423]: R.abs: argument `x` is missing
    b = R.abs(x, x)
    #!           ^ error[RLX0422]: R.abs takes at most 1 positional argument, 2 given
    #!     fix: remove it
    c = R.sum(x, axes=0)
    #!           ^^^^ error[RLX0424]: R.sum has no parameter `axes`; did you mean `axis`?
    #!     fix: change to `axis`
    d = R.sum(x, 0, axis=1)
    #!              ^^^^^^ error[RLX0425]: R.sum: argument `axis` is given twice
    #!     fix: remove it
    e = R.abs(R.shape([2]))
    #!        ^^^^^^^^^^^^ error[RLX0301]: R.abs expects a tensor as `x`, found R.Shape([2])
    f = R.abs(3)
    #!        ^ error[RLX0301]: R.abs expects a tensor as `x`, found the int 3
    #!     fix: make it a constant
    g = R.exp(i)
    #!        ^ error[RLX0309]: R.exp: `x` has dtype int64, expected a floating-point dtype
    #!     fix: cast it to float32
    return x


@R.function
def attributes(x: R.Tensor((2, 3), "float32"), img: R.Tensor((1, 3, 8, 8), "float32"), w: R.Tensor((4, 3, 3, 3), "float32")):
    a = R.sum(x, axis=2)
    #!                ^ error[RLX0305]: R.sum: axis 2 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `1`
    b = R.sum(x, axis=-3)
    #!                ^^ error[RLX0305]: R.sum: axis -3 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `-2`
    c = R.sum(x, axis="0")
    #!                ^^^ error[RLX0301]: R.sum expects an int or a list of ints as `axis`, found the string "0"
    #!     fix: write `0`
    d = R.sum(x, keepdims=[1])
    #!                    ^^^ error[RLX0301]: R.sum expects True or False as `keepdims`, found a list
    e = R.permute_dims(x, axes=[0, 0])
    #!                         ^^^^^^ error[RLX0304]: R.permute_dims: axis 0 appears more than once in `axes`
    #!     fix: change to `1`
    f = R.permute_dims(x, axes=[0])
    #!                         ^^^ error[RLX0306]: R.permute_dims: 1 axis given for a tensor of rank 2
    #!     fix: name all axes
    g = R.astype(x, "flota32")
    #!              ^^^^^^^^^ error[RLX0308]: R.astype: there is no dtype "flota32"; did you mean `float32`?
    #!     fix: change to `float32`
    h = R.astype(x, 32)
    #!              ^^ error[RLX0301]: R.astype expects a dtype as `dtype`, found the int 32
    i = R.nn.conv2d(img, w, data_layout="NCHX")
    #!                                  ^^^^^^ error[RLX0319]: R.nn.conv2d: layout "NCHX" of `data_layout` can't be converted to NCHW
    j = R.nn.conv2d(img, w, strides="1")
    #!                              ^^^ error[RLX0301]: R.nn.conv2d expects an int or a list of ints as `strides`, found the string "1"
    #!     fix: write `1`
    k = R.nn.conv2d(img, w, strides=[1, 1, 1])
    #!                              ^^^^^^^^^ error[RLX0316]: R.nn.conv2d: `strides` has 3 values, expected 1 or 2
    l = R.nn.conv2d(img, w, strides=0)
    #!                              ^ error[RLX0318]: R.nn.conv2d: `strides` is 0, expected at least 1
    m = R.nn.conv2d(img, w, groups=0)
    #!                             ^ error[RLX0318]: R.nn.conv2d: `groups` is 0, expected at least 1
    n = R.nn.softmax(x, axis=5)
    #!                       ^ error[RLX0305]: R.nn.softmax: axis 5 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `1`
    o = R.topk(x, k=1, ret_type="all")
    #!                          ^^^^^ error[RLX0317]: R.topk: `ret_type` is the string "all", expected one of "both", "values", "indices"
    p = R.sort(x, descending="yes")
    #!                       ^^^^^ error[RLX0301]: R.sort expects True or False as `descending`, found the string "yes"
    q = R.concat((x, x), axis=2)
    #!                        ^ error[RLX0305]: R.concat: axis 2 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `1`
    r = R.split(x, 2, axis=7)
    #!                     ^ error[RLX0305]: R.split: axis 7 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `1`
    s = R.image.resize2d(img, (4, 4), method="best")
    #!                                       ^^^^^^ warning[RLX0331]: R.image.resize2d: `method` has no "best"; it has "nearest_neighbor", "linear", "cubic"
    t = R.nn.layer_norm(x, x, x, axes=[3])
    #!                                ^^^ error[RLX0305]: R.nn.layer_norm: axis 3 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `0`
    u = R.full((2, 3), R.const(1, "float32"), dtype="real")
    #!                                              ^^^^^^ error[RLX0308]: R.full: there is no dtype "real"
    v = R.arange(0, 4, 0, "int64")
    #!                 ^ error[RLX0318]: R.arange: `step` is 0, expected another number
    w = R.arange(5, 2)
    #!    ^^^^^^ warning[RLX0332]: R.arange: dimension 0 of the result is -3
    w1 = R.add(w, w)
    w2 = R.nn.max_pool2d(R.zeros((1, 1, 3, 3), "float32"), pool_size=[5, 5])
    #!        ^^^^^^^^^^ warning[RLX0332]: R.nn.max_pool2d: dimension 2 of the result is -1
    #!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    w3 = R.nn.pad(x, [0, 0, -3, -2])
    #!        ^^^ warning[RLX0332]: R.nn.pad: dimension 1 of the result is -2
    w4 = R.tile(x, -1)
    #!     ^^^^ warning[RLX0332]: R.tile: dimension 1 of the result is -3
    w5 = R.split(R.ones((4, -6), "float32"), 2, axis=1)
    #!           ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
    #!     fix: bind to a variable
    #!             ^^^^ warning[RLX0332]: R.ones: dimension 1 of the result is -6
    w6 = R.arange(5, 5)
    w7 = R.strided_slice(x, [0], [2], [1])
    return x


@R.function
def right(x: R.Tensor((2, 3), "float32"), img: R.Tensor((1, 3, 8, 8), "float32"), w: R.Tensor((4, 3, 3, 3), "float32")):
    a = R.sum(x, axis=-2, keepdims=True)
    b = R.permute_dims(x, axes=[1, 0])
    c = R.astype(x, "float16")
    d = R.nn.conv2d(img, w, strides=[1, 1], padding=1, data_layout="NCHW")
    return (a, b, c, d)
