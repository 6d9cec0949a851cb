# Signatures of 0.27 as Python evaluates them: a bare name is no symbolic variable, a scalar parameter is the variable of its name for
# those behind it, and nothing else has that name; scalars that a dataflow block binds are no dimensions.
from tvm.script import ir as I, relax as R, tirx as T


@R.function(pure=False)
def a26(o: R.Any, s: R.Tensor((2, 3))):
    a = R.print(0.5, format="a")
    #! a: R.Tuple
    return s


@R.function(pure=False)
def a27(o: R.Any, s: R.Tensor((2, 3))):
    a = R.print(s, 5, True, "x", format="a")
    #! a: R.Tuple
    return s


@R.function
def a47(o: R.Any, x: R.Tensor((1, "x", 4), "float32")):
#!                ^ error[RLX0219]: `x` is a symbolic variable of the signature, it can't become a Relax variable
    return x


@R.function
def a50(o: R.Any, x: R.Tensor((1, 4), "float32")) -> R.Tensor(("x",)):
#!                                                   ^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `x` has no value: no parameter and no match_cast above has it as a dimension by itself
    return x


@R.function
def a51(o: R.Any, arg: R.Tensor(("n * m",), dtype="float32"), s: R.Shape([n, m])):
#!                                                                        ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
#!                                                                           ^ error[RLX0201]: `m` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    n = T.int64()
    m = T.int64()
    return arg


@R.function
def a52(o: R.Any, arg: R.Tensor(("n", "m"), dtype="float32"), s: R.Shape([n, m])):
#!                                                                        ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
#!                                                                           ^ error[RLX0201]: `m` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    n = T.int64()
    m = T.int64()
    return arg


@R.function
def b0(n: T.int64, x: R.Tensor((n, 4), "float32"), a: R.Any):
#!                              ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    return x


@R.function
def b1(x: R.Tensor((n, 4), "float32"), n: T.int64, a: R.Any):
#!                  ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    return x


@R.function
def b2(n: T.int64, x: R.Tensor(("n", 4), "float32"), a: R.Any):
    return x


@R.function
def b3(x: R.Tensor(("n", 4), "float32"), n: T.int64, a: R.Any):
#!                                       ^ error[RLX0219]: `n` is a symbolic variable of the signature, it can't become a Relax variable
    return x


@R.function
def b4(n: R.Prim("int64"), x: R.Tensor((n, 4), "float32"), a: R.Any):
#!                                      ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    return x


@R.function
def b8(x: R.Tensor(("n", 4), "float32"), a: R.Any) -> R.Tensor((n, 4), "float32"):
#!                                                              ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    return x


@R.function
def b9(n: T.int64, x: R.Tensor((4, 4), "float32"), a: R.Any) -> R.Tensor((n, 4), "float32"):
#!                                                                        ^ error[RLX0201]: `n` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    return x


@R.function
def b10(n: T.int64, x: R.Tensor((4, 4), "float32"), a: R.Any) -> R.Tensor(("n", 4), "float32"):
    return x
    #!     ^ warning[RLX0354]: the function is declared to return R.Tensor((n, 4), dtype="float32"), but the value is only known to be R.Tensor((4, 4), dtype="float32"): dimension 0 is 4, expected n (4 against 2 for n = 2)
    #!     line 78: declared here


@R.function
def b11(a: R.Any, x: R.Tensor((4, "a"), "float32")):
#!      ^ error[RLX0219]: `a` is a symbolic variable of the signature, it can't become a Relax variable
    return x


@R.function
def b13(x: R.Tensor("float32", ndim=4), a: R.Any):
    with R.dataflow():
        N = T.int64()
        C = T.int64(16)
        #! C: R.Prim(value=16)
        lv0 = R.match_cast(x, R.Tensor((N, C, 3, 3), "float32"))
        #!                                 ^ error[RLX0362]: R.Prim(value=16) is not a dimension: expected an integer or a symbolic integer
        #! lv0: R.Tensor(dtype="float32", ndim=4)
        gv = R.add(lv0, lv0)
        #! gv: R.Tensor(dtype="float32", ndim=4)
        R.output(gv)
    return gv


@R.function
def b14(x: R.Tensor("float32", ndim=4), a: R.Any):
    with R.dataflow():
        N = T.int64()
        lv0 = R.match_cast(x, R.Tensor((N, 3, 3, 3), "float32"))
        #! lv0: R.Tensor((N, 3, 3, 3), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=4))
        gv = R.add(lv0, lv0)
        #! gv: R.Tensor((N, 3, 3, 3), dtype="float32")
        R.output(gv)
    return gv


@R.function
def b17(x: R.Tensor("float32", ndim=4), a: R.Any):
    N, M = T.int64(), T.int64(16)
    #! M: R.Prim(value=16)
    with R.dataflow():
        lv0 = R.match_cast(x, R.Tensor((N, M, 3, 3), "float32"))
        #! lv0: R.Tensor((N, 16, 3, 3), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=4))
        gv = R.add(lv0, lv0)
        #! gv: R.Tensor((N, 16, 3, 3), dtype="float32")
        R.output(gv)
    return gv


@R.function
def b18(x: R.Tensor("float32", ndim=4), a: R.Any):
    with R.dataflow():
        M = T.int64(16)
        #! M: R.Prim(value=16)
        lv0 = R.match_cast(x, R.Tensor((M, M, 3, 3), "float32"))
        #!                              ^ error[RLX0362]: R.Prim(value=16) is not a dimension: expected an integer or a symbolic integer
        #! lv0: R.Tensor(dtype="float32", ndim=4)
        gv = R.add(lv0, lv0)
        #! gv: R.Tensor(dtype="float32", ndim=4)
        R.output(gv)
    return gv


@R.function
def b19(x: R.Tensor("float32", ndim=4), a: R.Any):
    with R.dataflow():
        M = T.int64(16)
        #! M: R.Prim(value=16)
        lv0 = R.match_cast(x, R.Tensor((M, M, 3, 3), "float32"))
        #!                              ^ error[RLX0362]: R.Prim(value=16) is not a dimension: expected an integer or a symbolic integer
        #! lv0: R.Tensor(dtype="float32", ndim=4)
        R.output(lv0)
    return lv0


@R.function
def b20(x: R.Tensor("float32", ndim=4), a: R.Any):
    with R.dataflow():
        M = T.int64(16)
        #! M: R.Prim(value=16)
        gv = R.add(x, x)
        #! gv: R.Tensor(dtype="float32", ndim=4)
        R.output(gv)
    return gv


@R.function
def b25(a: R.Any, x: R.Callable((R.Tensor(("n",)),), R.Tensor(("m",), dtype="int32"), True)):
#!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `m` has no value: no parameter and no match_cast above has it as a dimension by itself
#!     fix: add a parameter that gives `m`
    return x


@R.function
def b26(a: R.Any, x: R.Callable((R.Tensor(("n",)),), R.Tensor(("n",), dtype="int32"), True)):
    return x


@R.function
def b28(a: R.Any, x: R.Callable((R.Tensor(("n",)),), R.Tensor(("m",), dtype="int32"), True), b: R.Tensor(("m",))):
    return x


@R.function
def b32(a: R.Any, b: R.Callable((R.Tensor(("n + 1",)),), R.Tensor)):
#!                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `n` has no value: no parameter and no match_cast above has it as a dimension by itself
#!     fix: add a parameter that gives `n`
    return a


@R.function
def b37(a: R.Any, x: R.Tensor((4,))):
    s = R.prim_value(T.int64())
    #!               ^^^^^^^^^ error[RLX0446]: R.prim_value: `value` is a new symbolic variable, expected a number
    #! s: R.Object
    return x


@R.function
def b43(a: R.Any, x: R.Tensor((4,))):
    y = R.match_cast(x, R.Tensor((T.int64(),)))
    #! y: R.Tensor(ndim=1)   (deduced R.Tensor((4,)))
    z = R.add(y, y)
    #! z: R.Tensor(ndim=1)
    return z


@R.function
def c0(x: R.Tensor("float32", ndim=4), a: R.Any):
    with R.dataflow():
        M = T.int64(16)
        #! M: R.Prim(value=16)
        y = R.zeros((M, 3), "float32")
        #!           ^ error[RLX0362]: R.Prim(value=16) is not a dimension: expected an integer or a symbolic integer
        #! y: R.Tensor((16, 3), dtype="float32")
        R.output(y)
    return y


@R.function
def c1(x: R.Tensor((16,)), a: R.Any):
    with R.dataflow():
        M = T.int64(16)
        #! M: R.Prim(value=16)
        y = R.reshape(x, (M,))
        #!                ^ error[RLX0362]: R.Prim(value=16) is not a dimension: expected an integer or a symbolic integer
        #! y: R.Tensor((16,))
        R.output(y)
    return y


@R.function
def c3(x: R.Tensor((16,)), a: R.Any):
    with R.dataflow():
        M = T.int64(16)
        #! M: R.Prim(value=16)
        y = R.shape([M])
        #!           ^ error[RLX0362]: R.Prim(value=16) is not a dimension: expected an integer or a symbolic integer
        #! y: R.Object
        R.output(y)
    return y


@R.function
def c6(x: R.Tensor(("n",)), a: R.Any):
    n = T.int64()
    with R.dataflow():
        M = n + 1
        #! M: R.Prim(value=n + 1)
        y = R.call_dps_packed("f", (x,), out_ty=R.Tensor((M,), "float32"))
        #!                                                ^ error[RLX0362]: R.Prim(value=n + 1) is not a dimension: expected an integer or a symbolic integer
        #! y: R.Tensor(dtype="float32", ndim=1)
        R.output(y)
    return y


@R.function
def c8(x: R.Tensor(("n",)), a: R.Any):
    with R.dataflow():
        M = T.int64(16)
        #! M: R.Prim(value=16)
        R.output(M)
    y = R.call_dps_packed("f", (x,), out_ty=R.Tensor((M,), "float32"))
    #! y: R.Tensor((16,), dtype="float32")
    return y


@R.function
def c9(x: R.Tensor(("n",)), a: R.Any):
    with R.dataflow():
        M = T.int64(16)
        #! M: R.Prim(value=16)
        y = R.call_dps_packed("f", (x,), out_ty=R.Tensor((M,), "float32"))
        #!                                                ^ error[RLX0362]: R.Prim(value=16) is not a dimension: expected an integer or a symbolic integer
        #! y: R.Tensor(dtype="float32", ndim=1)
        R.output(M, y)
    return y


@R.function
def c15(x: R.Tensor((2, 3))):
    b = T.sblock_alloc_buffer((2, 3))
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `T.sblock_alloc_buffer(…)`, which stands in PrimFuncs, can't be used in a Relax function
    #! b: R.Object
    return x


@R.function
def c22(x: R.Tensor((2, 3))):
    b = T.Buffer((2, 3))
    #!  ^^^^^^^^^^^^^^^^ error[RLX0429]: `T.Buffer(…)`, which stands in PrimFuncs, can't be used in a Relax function
    #! b: R.Object
    return x


@R.function
def c23(x: R.Tensor((2, 3))):
    b = T.handle()
    #!  ^^^^^^^^^^ error[RLX0429]: `T.handle(…)`, which stands in PrimFuncs, can't be used in a Relax function
    #! b: R.Object
    return x
