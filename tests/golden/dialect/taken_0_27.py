# What 0.25 spells and 0.27 takes as something else is analysed as that, with a warning: "void" is a dtype of its own there,
# `sinfo_args=` of a packed function an attribute that says nothing of the result. Constants have the dtypes that numpy has.
from tvm.script import ir as I, relax as R, tirx as T


@R.function(pure=False)
def taken(x: R.Tensor((3, 4), "float32"), w: R.Tensor((4, 4), "float32"), o: R.Any, p: R.Any, q: R.Any, r: R.Any):
    a = R.matmul(x, w, out_dtype="void")
    #!                           ^^^^^^ warning[RLX0902]: `"void"` is not in dialect 0.27, which has `None`
    #!     fix: write `None`
    #! a: R.Tensor((3, 4), dtype="void")
    b = R.nn.relu(a)
    #! b: R.Tensor((3, 4), dtype="void")
    c: R.Tensor((3, 4), "float32") = R.matmul(x, w, out_dtype="")
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((3, 4), dtype="float32"), but the value is R.Tensor((3, 4), dtype="void"): the dtype is void, expected float32
    #!     line 10: the value is the result of R.matmul
    #!     line 7: `x` is R.Tensor((3, 4), dtype="float32")
    #!     line 7: `w` is R.Tensor((4, 4), dtype="float32")
    #!     fix: annotate what is deduced
    #!                                                        ^^ warning[RLX0902]: `""` is not in dialect 0.27, which has `None`
    #!     fix: write `None`
    #! c: R.Tensor((3, 4), dtype="float32")   (deduced R.Tensor((3, 4), dtype="void"))
    d = R.add(b, x)
    #!  ^^^^^^^^^^^ error[RLX0302]: R.add: operands have different dtypes, void and float32
    #!     line 9: `b` is R.Tensor((3, 4), dtype="void")
    #!     line 7: `x` is R.Tensor((3, 4), dtype="float32")
    #! d: R.Tensor((3, 4))
    e = R.astype(x, "void")
    #! e: R.Tensor((3, 4), dtype="void")
    f = R.zeros((3,), "")
    #! f: R.Tensor((3,), dtype="void")
    g: R.Tensor((3,), "void") = R.zeros((3,), "float16")
    #! ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((3,), dtype="void"), but the value is R.Tensor((3,), dtype="float16"): the dtype is float16, expected void
    #!     line 14: the value is the result of R.zeros
    #!     fix: annotate what is deduced
    #! g: R.Tensor((3,), dtype="void")   (deduced R.Tensor((3,), dtype="float16"))
    h: R.Tensor((3,), "") = R.zeros((3,), "float16")
    #! ^^^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tensor((3,)), deduced is R.Tensor((3,), dtype="float16")
    #!     fix: make annotation finer
    #! h: R.Tensor((3,))   (deduced R.Tensor((3,), dtype="float16"))
    k = R.call_packed("f", x, sinfo_args=R.Tensor((3, 4), "float32"))
    #!                        ^^^^^^^^^^ warning[RLX0902]: `sinfo_args=` is not in dialect 0.27, which has `ty_args=`
    #!     fix: write `ty_args=`
    #! k: R.Object
    l = R.call_packed("f", x, ty_args=R.Tensor((3, 4), "float32"))
    #! l: R.Tensor((3, 4), dtype="float32")
    m = R.call_pure_packed("f", x, sinfo_args=R.Tensor((3, 4), "float32"))
    #!                             ^^^^^^^^^^ error[RLX0902]: `sinfo_args=` is not in dialect 0.27, which has `ty_args=`
    #!     fix: write `ty_args=`
    #! m: R.Tensor((3, 4), dtype="float32")
    n: R.Object = R.add(k, x)
    #!                  ^ error[RLX0301]: R.add expects a tensor as `x1`, found R.Object
    #! n: R.Object   (deduced R.Tensor)
    return l


@R.function
def constants(x: R.Tensor((3, 4), "float32"), o: R.Any):
    a = R.const(1.0, "float")
    #! a: R.Tensor((), dtype="float64")
    b = R.const(1, "int")
    #! b: R.Tensor((), dtype="int64")
    c = R.const(1, "uint")
    #! c: R.Tensor((), dtype="uint64")
    d = R.const(1, "int4")
    #! d: R.Tensor((), dtype="int4")
    e = R.const(1, "int24")
    #!             ^^^^^^^ error[RLX0446]: R.const: `dtype` is the string "int24", expected a dtype of numpy
    #! e: R.Object
    f = R.const(1, "handle")
    #!             ^^^^^^^^ error[RLX0446]: R.const: `dtype` is the string "handle", expected a dtype of numpy
    #! f: R.Object
    g = R.const(1, "int32x4")
    #!             ^^^^^^^^^ error[RLX0446]: R.const: `dtype` is the string "int32x4", expected a dtype of numpy
    #! g: R.Object
    return x
