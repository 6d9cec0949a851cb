# A string whose letters are not known is a string still: what Python and TVM refuse of strings as operands is said of it.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor(("n", 3), "float32")):
    n = T.int64()
    a = x + f"{x}"
    #!  ^^^^^^^^^^ error[RLX0421]: `+` can't be applied to R.Tensor((2, 3), dtype="float32") and a string
    #! a: R.Object
    b = str(x) * y
    #!  ^^^^^^^^^^ error[RLX0421]: `*` can't be applied to a string and R.Tensor((n, 3), dtype="float32")
    #! b: R.Object
    c = R.const(1 + f"{x}")
    #!          ^^^^^^^^^^ error[RLX0421]: `+` can't be applied to the Python int 1 and a string
    #! c: R.Tensor
    d = R.str("a" + f"{x}" * 2)
    #! d: R.Object
    e = R.str(f"{x}" % x)
    #! e: R.Object
    f = x % f"{x}"
    #!  ^^^^^^^^^^ error[RLX0421]: `%` can't be applied to R.Tensor((2, 3), dtype="float32") and a string
    #! f: R.Object
    g = R.str(str(x) + str(y))
    #! g: R.Object
    h = R.str(str(x) - str(y))
    #!        ^^^^^^^^^^^^^^^ error[RLX0421]: `-` can't be applied to a string and a string
    #! h: R.Object
    i = R.shape([n + str(x)])
    #!           ^^^^^^^^^^ error[RLX0421]: `+` can't be applied to the symbolic integer `n` and a string
    #! i: R.Shape(ndim=1)
    j = R.const(f"{x}" < 1)
    #!          ^^^^^^^^^^ error[RLX0421]: `<` can't be applied to a string and the Python int 1
    #! j: R.Tensor
    k = x < str(y)
    #!  ^^^^^^^^^^ error[RLX0421]: `<` can't be applied to R.Tensor((2, 3), dtype="float32") and a string
    #! k: R.Object
    m = R.const([1] + f"{y}")
    #!          ^^^^^^^^^^^^ error[RLX0421]: `+` can't be applied to a list and a string
    #! m: R.Tensor
    o = R.str(f"{nothing}" + 1)
    #!           ^^^^^^^ error[RLX0201]: `nothing` is not defined
    #! o: R.Object
    p = R.str(f"{x}" + 1 + f"{y}")
    #!        ^^^^^^^^^^ error[RLX0421]: `+` can't be applied to a string and the Python int 1
    #! p: R.Object
    q = R.str("a" in f"{x}")
    #! q: R.Object
    r = R.abs(f"{x}")
    #!        ^^^^^^ error[RLX0301]: R.abs expects a tensor as `x`, found a string
    #! r: R.Object
    s = R.reshape(x, str(y))
    #!               ^^^^^^ error[RLX0301]: R.reshape expects a shape as `shape`, found a string
    #! s: R.Object
    t = R.sum(x, f"{x}", keepdims=str(x))
    #!           ^^^^^^ error[RLX0301]: R.sum expects an int or a list of ints as `axis`, found a string
    #! t: R.Object
    u = R.call_pure_packed(f"{x}", x, sinfo_args=R.Object)
    #! u: R.Object
    return a
