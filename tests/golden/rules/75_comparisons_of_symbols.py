# TVM's parser compares expressions of TensorIR of one dtype, and with nothing else; x.shape and x.dtype are objects without operators.
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Tensor(("n", 4), "float32"), p: R.Prim("int64")):
    n = T.int64()
    a = n == T.int32(2)
    #!  ^^^^^^^^^^^^^^^ error[RLX0421]: `==` can't be applied to the symbolic integer `n` and the symbolic integer `T.int32(2)`: both have one dtype
    #! a: R.Object
    b = n * 2 >= 0.5
    #!  ^^^^^^^^^^^^ error[RLX0421]: `>=` can't be applied to the symbolic integer `n * 2` and the Python float 0.5: both have one dtype
    #! b: R.Object
    c = 0.5 < n
    #!  ^^^^^^^ error[RLX0421]: `<` can't be applied to the Python float 0.5 and the symbolic integer `n`: both have one dtype
    #! c: R.Object
    d = x == n
    #!  ^^^^^^ error[RLX0421]: `==` can't be applied to R.Tensor((n, 4), dtype="float32") and the symbolic integer `n`
    #! d: R.Object
    e = T.float16(1) != 2.5
    f = n < 3
    g = (lambda: n == T.int32(2))
    h = n is x
    #!  ^^^^^^ warning[RLX0449]: `is` looks at the Python objects here: the result is the constant False
    #! h: R.Tensor((), dtype="bool")
    return x


@R.function
def proxies(x: R.Tensor((2, 3), "float32")):
    a = x.shape + (1,)
    #!  ^^^^^^^^^^^^^^ error[RLX0421]: `+` can't be applied to `.shape` by itself and a tuple
    #! a: R.Object
    b = -x.dtype
    #!  ^^^^^^^^ error[RLX0421]: `-` can't be applied to `.dtype` by itself
    #! b: R.Object
    c = T.max(x.shape, 1)
    #!        ^^^^^^^ error[RLX0446]: T.max: `a` is `.shape` by itself, expected a number or a symbolic expression
    #! c: R.Object
    d = int(x.strides)
    #!      ^^^^^^^^^ error[RLX0446]: Python's `int`: `argument` is `.strides` by itself, expected a number
    #! d: R.Object
    e = x.dtype.bytes
    #!          ^^^^^ error[RLX0203]: `dtype.bytes` does not exist
    #! e: R.Object
    f = x.shape[0]
    #!  ^^^^^^^^^^ error[RLX0328]: relax.inspect.tensor_shape_i: the answer is known here, 2: write it down
    #! f: R.Prim(value=2)
    g = x.dtype == "float32"
    #! g: R.Tensor((), dtype="bool")
    return x


@R.function
def items(x: R.Tensor((2, 3), "float32"), t: R.Tuple(R.Tensor((2,)), R.Object)):
    a = x in 3
    #!  ^^^^^^ error[RLX0421]: `in` can't be applied to R.Tensor((2, 3), dtype="float32") and the Python int 3
    #! a: R.Object
    b = "a" in None
    #!  ^^^^^^^^^^^ error[RLX0421]: `in` can't be applied to the string "a" and `None`
    #! b: R.Object
    c = x in "xs"
    #!  ^^^^^^^^^ error[RLX0421]: `in` can't be applied to R.Tensor((2, 3), dtype="float32") and the string "xs"
    #! c: R.Object
    d = x in [x]
    #! d: R.Tensor((), dtype="bool")
    e = sum(x)
    #!      ^ error[RLX0446]: Python's `sum`: `argument` is R.Tensor((2, 3), dtype="float32"), expected a list
    #! e: R.Object
    f = reversed(t)
    #!           ^ error[RLX0446]: Python's `reversed`: `argument` is R.Tuple(R.Tensor((2,)), R.Object), expected a list
    #! f: R.Object
    g = sum([1, 2])
    #! g: R.Tensor((), dtype="int32")
    h = abs(T.int64)
    #!      ^^^^^^^ error[RLX0446]: Python's `abs`: `argument` is `T.int64`, expected a number
    #! h: R.Object
    i = T.int64[0]
    #! i: R.Object
    return x


@R.function
def devices(x: R.Tensor((2, 3), "float32")):
    a = R.device("cuda:1", 2)
    b = R.device(1, True)
    c = R.device("gpu", 0)
    #!           ^^^^^ error[RLX0446]: R.device: `device_type` is the string "gpu", expected a device, as "cuda" or "cuda:1"
    #! c: R.Object
    d = R.device("cpu", "0")
    #!                  ^^^ error[RLX0446]: R.device: `index` is the string "0", expected an int
    #! d: R.Object
    e = R.device("cpu:x")
    #!           ^^^^^^^ error[RLX0446]: R.device: `device_type` is the string "cpu:x", expected a device, as "cuda" or "cuda:1"
    #! e: R.Object
    f = R.device(x)
    #!           ^ error[RLX0446]: R.device: `device_type` is R.Tensor((2, 3), dtype="float32"), expected a string or an int
    #! f: R.Object
    g = R.device("cuda:1_0")
    h = R.device("cuda:-1 of this machine")
    i = R.device("cuda: 1")
    #!           ^^^^^^^^^ error[RLX0446]: R.device: `device_type` is the string "cuda: 1", expected a device, as "cuda" or "cuda:1"
    #! i: R.Object
    j = R.device("cuda:2147483648")
    #!           ^^^^^^^^^^^^^^^^^ error[RLX0446]: R.device: `device_type` is the string "cuda:2147483648", expected a device, as "cuda" or "cuda:1"
    #! j: R.Object
    k = R.device("cuda:1__0")
    #!           ^^^^^^^^^^^ error[RLX0446]: R.device: `device_type` is the string "cuda:1__0", expected a device, as "cuda" or "cuda:1"
    #! k: R.Object
    return x
