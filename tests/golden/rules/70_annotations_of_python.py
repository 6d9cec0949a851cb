# What Python makes of an annotation before TVM looks at it: attributes of strings, names that are not bound yet, values of T's functions.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def of_string(x: str(T).Shape((3,))):
#!                      ^^^^^ error[RLX0203]: `str.Shape` does not exist
    return x


@R.function
def of_f_string(x: R.Tensor((3,), "float32"), y: f"{R}".Tensor((3,), "float32")):
#!                                                      ^^^^^^ error[RLX0203]: `str.Tensor` does not exist
    return x


@R.function
def meta(x: R.Tensor((3,), "float32"), y: T.meta_var(2)):
#!                                        ^^^^^^^^^^^^^ error[RLX0352]: what a function of T gives is not a StructInfo annotation
    return x


@R.function
def frame(x: R.Tensor((3,), "float32")) -> T.thread_binding(3, "threadIdx.x"):
#!                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0352]: what a function of T gives is not a StructInfo annotation
    return x


@R.function
def buffer(x: T.Buffer[(4,), "float32"]):
#!            ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0352]: an annotation of PrimFuncs is not a StructInfo annotation
    return x


@R.function
def made(x: lambda: T.float16):
#!          ^^^^^^^^^^^^^^^^^ error[RLX0352]: a lambda is not a StructInfo annotation
    return x


@R.function
def earlier(x: R.Tensor((3,), "float32"), y: R.Tensor((3,), min("float32", x))):
#!                                                                         ^ error[RLX0201]: `x` is not defined
    return x


@R.function
def dtype_of_script(x: R.Tensor((3,), dtype=T.min("float32", "float16"))):
#!                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0446]: R.Tensor: `dtype` is a value of TensorIR, expected a dtype's name
    return x


@R.function
def letters(x: R.Tensor(("k", "m"), "float32"), s: R.Shape("km")):
    k, m = T.int64(), T.int64()
    y: R.Tensor((m, k), "float32") = R.permute_dims(x)
    #! y: R.Tensor((m, k), dtype="float32")
    return y


@R.function
def letters_in_body(x: R.Tensor(("k", "m"), "float32")):
    y: R.Shape("km") = R.shape_of(x)
    #!         ^^^^ error[RLX0365]: "k" as a dimension can stand in signatures only: write the variable without quotes
    #!     fix: write it without quotes
    #!         ^^^^ error[RLX0365]: "m" as a dimension can stand in signatures only: write the variable without quotes
    #!     fix: write it without quotes
    #! y: R.Shape([k, m])
    return y


@R.function
def texts(
    a: R.Tensor(("n", "relax.add"), "float32"),
    #!                ^^^^^^^^^^^ error[RLX0362]: the string "relax.add" is not a dimension: expected an integer or a symbolic integer
    b: R.Tensor(("other(n)",), "float32"),
    #!           ^^^^^^^^^^ error[RLX0362]: the string "other(n)" is not a dimension: expected an integer or a symbolic integer
    c: R.Tensor(("n.size",), "float32"),
    #!           ^^^^^^^^ error[RLX0362]: the string "n.size" is not a dimension: expected an integer or a symbolic integer
    d: R.Tensor(("min(n, 4)",), "float32"),
    #!           ^^^^^^^^^^^ error[RLX0362]: the string "min(n, 4)" is not a dimension: expected an integer or a symbolic integer
    e: R.Tensor(("T.min(n, 4)", "R.add"), "float32"),
    #!                          ^^^^^^^ error[RLX0362]: the string "R.add" is not a dimension: expected an integer or a symbolic integer
):
    return a


@R.function
def sizes(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
    a = R.zeros((n.equal(4), 2), "float32")
    #!           ^^^^^^^^^^ error[RLX0362]: the symbolic integer `n == 4` of dtype bool is not a dimension: expected an integer or a symbolic integer
    #! a: R.Tensor((n == 4, 2), dtype="float32")
    b = R.zeros((T.reinterpret("int64", 8),), "float32")
    #!                                  ^ error[RLX0446]: T.reinterpret: `value` is the Python int 8, expected a value of 64 bits
    #! b: R.Tensor(dtype="float32", ndim=1)
    c = T.reinterpret("int64", T.int64(8))
    d = T.Cast("int32x2", 8)
    #!                    ^ error[RLX0446]: T.Cast: `value` is the Python int 8, expected a value of 2 lanes
    #! d: R.Object
    e = n.astype(T.int32)
    #!           ^^^^^^^ error[RLX0446]: astype: `dtype` is `T.int32`, expected a dtype's name
    #! e: R.Object
    return x


@R.function
def attributes(x: R.Tensor((3,), "float32")):
    (R.func_attr({"number": 1}), R.func_attr({"number": 2}))
    #!                                        ^^^^^^^^ error[RLX0425]: R.func_attr: argument `number` is given twice
    #!     line 82: the first one
    return x


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "float32")):
        cls = Module
        a = cls + 1
        #!  ^^^^^^^ error[RLX0421]: `+` can't be applied to a module and the Python int 1
        #! a: R.Object
        b = Module < 3
        #!  ^^^^^^^^^^ error[RLX0421]: `<` can't be applied to a module and the Python int 3
        #! b: R.Object
        return x
