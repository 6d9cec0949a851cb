# Values of kinds that Python or TVM refuses: ranks and dtypes of annotations, attributes of functions, devices, symbolic variables of no
# name, functions of T that stand in PrimFuncs; bools are ints, and variables of a function's annotation need a value, too.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def a0(x: R.Tensor((2, 3)), n: R.Prim(1024, value="n")):
#!                          ^ error[RLX0219]: `n` is a symbolic variable of the signature, it can't become a Relax variable
#!                                    ^^^^ error[RLX0446]: R.Tensor: `dtype` is the Python int 1024, expected a dtype's name
    return x


@R.function
def a1(x: R.Tensor((2, 3)), n: R.Prim("float32", value="n")):
#!                          ^ error[RLX0219]: `n` is a symbolic variable of the signature, it can't become a Relax variable
#!                                    ^^^^^^^^^ error[RLX0446]: R.Prim: `dtype` is the string "float32", expected "int64", that of `value`
    return x


@R.function
def a5(x: R.Tensor((2, 3)), n: R.Prim("int64", value=T.int32(4))):
#!                                    ^^^^^^^ error[RLX0446]: R.Prim: `dtype` is the string "int64", expected "int32", that of `value`
    return x


@R.function
def a10(x: R.Tensor((2, 3)), n: R.Prim(value=[1])):
#!                                           ^^^ error[RLX0446]: R.Prim: `value` is a list, expected a number or a symbolic expression
    return x


@R.function
def a14(s: R.Shape(ndim=False)):
    return s


@R.function
def a17(s: R.Tensor(ndim=True, dtype="float32")):
    return s


@R.function
def a20(s: R.Tensor(ndim=T.max(4, 4))):
#!                       ^^^^^^^^^^^ error[RLX0446]: R.Tensor: `ndim` is the symbolic integer `4`, expected an integer
    return s


@R.function
def a21(s: R.Tensor(ndim=T.int64(4))):
#!                       ^^^^^^^^^^ error[RLX0446]: R.Tensor: `ndim` is the symbolic integer `4`, expected an integer
    return s


@R.function
def a23(s: R.Tensor((2,), dtype=T.int64)):
#!                              ^^^^^^^ error[RLX0446]: R.Tensor: `dtype` is `T.int64`, expected a dtype's name
#!     fix: write the dtype's name
    return s


@R.function
def a42(A: R.Tensor(["M", 32]), B: R.Tensor(ndim=2)):
    M = T.handle()
#!  ^ error[RLX0210]: `M` is a symbolic variable of dtype int64 already, it can't become a symbolic variable of dtype handle
    C = R.match_cast(B, R.Tensor([M, 32]))
    #! C: R.Tensor((M, 32))   (deduced R.Tensor(ndim=2))
    return C


@R.function
def a57(x: R.Tensor((2, 3))):
    R.func_attr({"global_symbol": True})
    #!                            ^^^^ error[RLX0446]: R.func_attr: `global_symbol` is `True`, expected a string
    return x


@R.function
def a59(x: R.Tensor((2, 3))):
    R.func_attr({"relax.force_pure": R})
    #!                               ^ error[RLX0446]: R.func_attr: `relax.force_pure` is `R`, expected True or False
    return x


@R.function
def a61(x: R.Tensor((2, 3))):
    R.func_attr({"relax.force_pure": "yes"})
    #!                               ^^^^^ error[RLX0446]: R.func_attr: `relax.force_pure` is the string "yes", expected True or False
    return x


@R.function
def a62(x: R.Tensor((2, 3))):
    R.func_attr({"num_input": "yes"})
    return x


@R.function
def a64(x: R.Tensor((2, 3))):
    b = R.TupleGetItem(1, x)
    #!                 ^ error[RLX0446]: R.TupleGetItem: `tuple_value` is the Python int 1, expected a Relax expression
    #! b: R.Object
    return x


@R.function
def a66(x: R.Tuple(R.Tensor((2, 3)))):
    b = R.TupleGetItem(x, x)
    #!                    ^ error[RLX0446]: R.TupleGetItem: `index` is R.Tuple(R.Tensor((2, 3))), expected an int
    #! b: R.Object
    return b


@R.function
def a67(x: R.Tensor((2, 3))):
    gv = R.hint_on_device(x, R.device("float32", device_type=1, index=0))
    #!                                           ^^^^^^^^^^^^^ error[RLX0425]: R.device: argument `device_type` is given twice
    #!     fix: remove it
    #! gv: R.Tensor((2, 3))
    return gv


@R.function
def a70(x: R.Tensor((2, 3))):
    gv = R.hint_on_device(x, R.device(1, 0, 3))
    #!                                      ^ error[RLX0422]: R.device takes at most 2 positional arguments, 3 given
    #! gv: R.Tensor((2, 3))
    return gv


@R.function
def a72(x: R.Tensor((2, 3))):
    gv = R.hint_on_device(x, R.device(device_type="cpu", foo=3))
    #!                                                   ^^^ error[RLX0424]: R.device has no parameter `foo`
    #! gv: R.Tensor((2, 3))
    return gv


@R.function
def a74(x: R.Tensor((10, 20), "float32")):
    m = T.int64()
    n = T.int64() + 1
    #!  ^^^^^^^^^ error[RLX0208]: symbolic variable `v` has no value: no parameter and no match_cast above has it as a dimension by itself
    with R.dataflow():
        lv = R.match_cast(x, R.Tensor((m, n), dtype="float32"))
        #! lv: R.Tensor((m, v + 1), dtype="float32")   (deduced R.Tensor((10, 20), dtype="float32"))
        gv = lv
        #! gv: R.Tensor((m, v + 1), dtype="float32")
        R.output(gv)
    return gv


@R.function
def a78(x: R.Tensor((10, 20), "float32")):
    g: R.Callable = -R.ExternFunc("e")
    #!              ^^^^^^^^^^^^^^^^^^ error[RLX0421]: `-` can't be applied to R.Callable
    #! g: R.Callable   (deduced R.Object)
    return x


@R.function
def a85(x: R.Callable((), R.Tensor(("zz",), dtype="int32"), True)) -> R.Tensor((16,), dtype="int32"):
#!         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `zz` has no value: no parameter and no match_cast above has it as a dimension by itself
#!     fix: add a parameter that gives `zz`
    return x()
    #! gv: R.Tensor(dtype="int32", ndim=1)


@R.function
def a86(x: R.Callable((R.Tensor(("n",)),), R.Tensor(("n",), dtype="int32"), True)):
    return x


@R.function
def a88(y: R.Tensor(("n",)), x: R.Callable((R.Tensor(("m",)),), R.Tensor(("k",), dtype="int32"), True)):
#!                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0208]: symbolic variable `k` has no value: no parameter and no match_cast above has it as a dimension by itself
#!     fix: add a parameter that gives `k`
    return x


@R.function
def a89(x: R.Tensor((2, 3))) -> lambda: R.Tensor:
#!                              ^^^^^^^^^^^^^^^^ error[RLX0352]: a lambda is not a StructInfo annotation
    return x


@R.function
def a94(x: R.Tensor((2, 3))):
    b = T.reads()
    #!  ^^^^^^^^^ error[RLX0429]: `T.reads(…)`, which stands in PrimFuncs, can't be used in a Relax function
    #! b: R.Object
    return x


@R.function
def a97(x: R.Tensor((2, 3))):
    b = T.alloc_buffer((2, 3))
    #!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `T.alloc_buffer(…)`, which stands in PrimFuncs, can't be used in a Relax function
    #! b: R.Object
    return x


@R.function
def a99(x: R.Tensor((2, 3), "float32")):
    b = R.clip(x, min % -1, max=1)
    #!            ^^^^^^^^ error[RLX0421]: `%` can't be applied to Python's `min` and the Python int -1
    #! b: R.Tensor((2, 3), dtype="float32")
    return b


@R.function
def a101(x: R.Tensor((2, 3), "float32")):
    b = R.clip(x, min + 1, 1)
    #!            ^^^^^^^ error[RLX0421]: `+` can't be applied to Python's `min` and the Python int 1
    #! b: R.Tensor((2, 3), dtype="float32")
    return b


@R.function
def b10(x: R.Tensor((2, 3))):
    T.writes()
#!  ^^^^^^^^^^ error[RLX0429]: `T.writes(…)`, which stands in PrimFuncs, can't be used in a Relax function
    return x


@R.function
def b13(x: R.Tensor((2, 3))):
    T.sblock_attr({"a": 1})
#!  ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `T.sblock_attr(…)`, which stands in PrimFuncs, can't be used in a Relax function
    return x


@R.function
def b14(x: R.Tensor((2, 3))):
    T.func_attr({"a": 1})
#!  ^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `T.func_attr(…)`, which stands in PrimFuncs, can't be used in a Relax function
    return x


@R.function
def b16(x: R.Tensor((2, 3))):
    b = T.match_buffer(x, (2, 3))
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `T.match_buffer(…)`, which stands in PrimFuncs, can't be used in a Relax function
    #! b: R.Object
    return x


@R.function
def b24(x: R.Tensor((2, "M"))):
    M = T.handle()
#!  ^ error[RLX0210]: `M` is a symbolic variable of dtype int64 already, it can't become a symbolic variable of dtype handle
    return x


@R.function
def b29(x: R.Tensor((2, 3))):
    M = T.handle()
    y = R.match_cast(x, R.Tensor((2, M)))
    #!                               ^ error[RLX0362]: the symbolic integer `M` of dtype handle is not a dimension: expected an integer or a symbolic integer
    #! y: R.Tensor(ndim=2)   (deduced R.Tensor((2, 3)))
    return y


@R.function
def c3(x: T.Buffer((2, 3), "float32")):
#!        ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0352]: an annotation of PrimFuncs is not a StructInfo annotation
    return x


@R.function
def c4(x: R.Tensor((2, 3))) -> T.Buffer((2, 3), "float32"):
#!                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0352]: an annotation of PrimFuncs is not a StructInfo annotation
    return x


@R.function
def c5(x: R.Tensor((2, 3))):
    y: T.Buffer((2, 3), "float32") = R.abs(x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0352]: an annotation of PrimFuncs is not a StructInfo annotation
    #! y: R.Tensor((2, 3))
    return y


@R.function
def c6(x: R.Tensor((2, 3))):
    y: T.let[T.int32] = R.abs(x)
    #! ^^^^^^^^^^^^^^ error[RLX0352]: an annotation of PrimFuncs is not a StructInfo annotation
    #! y: R.Tensor((2, 3))
    return x


@R.function
def c7(x: R.Tensor((2, 3))):
    y: T.float64[2, 2] = R.abs(x)
    #! ^^^^^^^^^^^^^^^ error[RLX0352]: an annotation of PrimFuncs is not a StructInfo annotation
    #! y: R.Tensor((2, 3))
    return x


@R.function
def c9(x: T.let[T.handle]):
#!        ^^^^^^^^^^^^^^^ error[RLX0352]: an annotation of PrimFuncs is not a StructInfo annotation
    return x


@R.function
def c11(x: R.Tensor((2, 3))):
    a: T.let[T.int32] = T.int64()
    #! ^^^^^^^^^^^^^^ error[RLX0352]: an annotation of PrimFuncs is not a StructInfo annotation
    return x


@R.function
def c12(x: R.Tensor((2, 3))):
    y = R.min(x, axis=None, keepdims=(*False,))
    #!                                ^^^^^^ error[RLX0421]: `*` can't be applied to `False`
    #! y: R.Tensor
    return x


@R.function
def c13(x: R.Tensor((2, 3))):
    y = R.min(x, axis=[*0])
    #!                 ^^ error[RLX0421]: `*` can't be applied to the Python int 0
    #! y: R.Tensor
    return x


@R.function
def c15(x: R.Tensor((2, 3))):
    y = R.min(x, *[0])
    #! y: R.Tensor((3,))
    return x


@R.function
def threads_of_kernels(x: R.Tensor((4,), "float32")):
    bx = T.env_thread("blockIdx.x")
    #!   ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `T.env_thread(…)`, which stands in PrimFuncs, can't be used in a Relax function
    #! bx: R.Object
    tx = T.launch_thread("threadIdx.x", 32)
    #!   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `T.launch_thread(…)`, which stands in PrimFuncs, can't be used in a Relax function
    #! tx: R.Object
    return x
