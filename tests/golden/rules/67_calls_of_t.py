# What calls of T take and give in a Relax function, by the rows of script_kinds.def: values of a dtype, None, objects, parts of PrimFuncs.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def dtypes_are_no_functions(x: R.Tensor((2, 3), "float32")):
    n = T.int64()
    a = T.min(T.int32, n)
    #!        ^^^^^^^ error[RLX0446]: T.min: `a` is `T.int32`, expected a number or a symbolic expression
    #! a: R.Object
    b = T.reinterpret(T.float16, n)
    #!                ^^^^^^^^^ error[RLX0446]: T.reinterpret: `dtype` is `T.float16`, expected a number or a symbolic expression
    #! b: R.Object
    c = T.call_extern("int64", "f", n, T.uint8)
    #!                                 ^^^^^^^ error[RLX0446]: T.call_extern: `args` is `T.uint8`, expected a number or a symbolic expression
    #! c: R.Object
    return x


@R.function
def values(x: R.Tensor((2, 3), "float32")):
    n = T.int64()
    a = R.zeros((T.call_pure_extern("int64", "rows", "x"), 3), "float32")
    #! a: R.Tensor((..., 3), dtype="float32")
    b = R.zeros((T.call_pure_extern("int32", "rows", "x"), 3), "float32")
    #!           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0362]: a value of TensorIR is not a dimension: expected an integer or a symbolic integer
    #! b: R.Tensor((..., 3), dtype="float32")
    c = R.sum(x, axis=[T.call_extern("int64", "g")])
    #!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.sum expects a list of ints as `axis`, found a list
    #! c: R.Tensor(dtype="float32")
    d = R.astype(x, T.Cast("uint8", "float16"))
    #!              ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.astype expects a dtype as `dtype`, found the integer expression ...
    #! d: R.Tensor((2, 3))
    e = R.call_dps_packed(T.tvm_stack_alloca("shape", 2), (x,), R.Tensor((2,), "float32"))
    #!                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.call_dps_packed expects a function as `func`, found the integer expression ...
    #! e: R.Tensor((2,), dtype="float32")
    f = R.nn.pad(x, [0, 0, 0, 0], pad_mode=T.break_loop())
    #!                                     ^^^^^^^^^^^^^^ error[RLX0301]: R.nn.pad expects a string as `pad_mode`, found the integer expression ...
    #! f: R.Tensor((2, 3), dtype="float32")
    g = R.const(T.popcount(n))
    #!          ^^^^^^^^^^^^^ error[RLX0443]: the symbolic integer `popcount(n)` can't be a constant tensor
    #! g: R.Tensor(())
    return x


@R.function
def none_and_objects(x: R.Tensor((2, 3), "float32")):
    n = T.int64()
    a = R.add(x, T.static_assert(n))
    #!           ^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found None
    #! a: R.Tensor
    T.static_assert(0, "never")
    #!              ^ error[RLX0446]: T.static_assert: `condition` is the Python int 0, expected what holds when the script is read
    b = T.Range(0, n) + 1
    #!  ^^^^^^^^^^^^^^^^^ error[RLX0421]: `+` can't be applied to an object of TensorIR and the Python int 1
    #! b: R.Object
    c = T.ExecScope("cta")(2)
    #!  ^^^^^^^^^^^^^^^^^^ error[RLX0428]: an object of TensorIR can't be called
    #! c: R.Object
    d = T.shared_scalar("int32")
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: `T.shared_scalar(…)`, which stands in PrimFuncs, can't be used in a Relax function
    #! d: R.Object
    return (T.CallEffectKind(), x)
    #!     ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0442]: a tuple is not a Relax value


@R.function
def modules_of_t(x: R.Tensor((2, 3), "float32")):
    a = T.parser(2)
    #!  ^^^^^^^^ error[RLX0428]: `T.parser` can't be called
    #! a: R.Object
    b = T.builder()
    #!  ^^^^^^^^^ error[RLX0428]: `T.builder` can't be called
    #! b: R.Object
    c = T.uint8(-3.5)
    #!          ^^^^ error[RLX0446]: T.uint8: `value` is the Python float -3.5, expected a number that uint8 holds
    #! c: R.Object
    d = T.int32("12")
    e = R.const(float("nan"), "int8")
    #!          ^^^^^^^^^^^^ error[RLX0446]: R.const: `value` is the Python float nan, expected a number that int8 holds
    #! e: R.Object
    return x


@R.function
def is_itself(x: R.Tensor((2, 3), "float32"), y: R.Tensor(("n", 3), "float32")):
    n = T.int64()
    a = R.zeros((5 + (y in (x, "y")), 5 + (n not in [1, n]), 5 + x.same_as(x)), "float32")
    #! a: R.Tensor((5, 5, 6), dtype="float32")
    b = R.call_tir(x in [1], (x,), R.Tensor((2, 3), "float32"))
    #!             ^^^^^^^^ error[RLX0301]: R.call_tir expects a function as `gvar`, found False
    #! b: R.Tensor((2, 3), dtype="float32")
    return x


@R.function
def new_variables(x: R.Tensor((2, 3), "float32"), y: R.Tensor(("n", 3), "float32")):
    n = {"rows": T.int64()}["rows"]
    a = R.zeros((T.min(T.int64(), 4), 3), "float32")
    #!                 ^^^^^^^^^ error[RLX0208]: symbolic variable `v` has no value: no parameter and no match_cast above has it as a dimension by itself
    #! a: R.Tensor(dtype="float32", ndim=2)
    b = R.zeros((n, T.int64() and n), "float32")
    #!              ^^^^^^^^^^^^^^^ error[RLX0421]: `and` can't be applied to a new symbolic variable and the symbolic integer `n`
    #! b: R.Tensor(dtype="float32", ndim=2)
    return b


@R.function
def compared(x: R.Tensor((2, 3), "float32"), y: R.Tensor(("n", 3), "float32")):
    n = T.int64()
    a = R.zeros((n, 3 + 2j * n), "float32")
    #!                  ^^^^^^ error[RLX0421]: `*` can't be applied to a complex number and the symbolic integer `n`
    #! a: R.Tensor(dtype="float32", ndim=2)
    b = R.sum(x, axis=[n] != [n], keepdims=(x, 1) == (x, 1))
    #! b: R.Tensor((1, 3), dtype="float32")
    c = R.call_dps_packed("f", R.Tensor((2,)), R.Tensor((2, 3), "float32"))
    #!                         ^^^^^^^^^^^^^^ error[RLX0301]: R.call_dps_packed expects an expression as `args`, found the annotation R.Tensor((2,))
    #! c: R.Tensor((2, 3), dtype="float32")
    return R.prim_value(n < ...)
    #!                  ^^^^^^^ error[RLX0421]: `<` can't be applied to the symbolic integer `n` and `...`
