# A dtype of T is a type where it is a whole annotation (0.27) alone: inside of another type, and where an operator takes types, TVM
# wants R.Prim. What takes types as values takes them made: R.Object() and not R.Object, also in a list.
from tvm.script.parser import ir as I, relax as R, tirx as T


@R.function(pure=False)
def in_types(x: R.Tensor((2, 3), "float32"), t: R.Tuple(R.Object, T.int64)) -> R.Callable((T.bool,), R.Object):
#!                                                                ^^^^^^^ error[RLX0352]: `T.int64` inside of another one is not a StructInfo annotation
#!     fix: write `R.Prim("int64")`
#!                                                                                         ^^^^^^ error[RLX0352]: `T.bool` inside of another one is not a StructInfo annotation
#!     fix: write `R.Prim("bool")`
    return t


@R.function(pure=False)
def in_values(x: R.Tensor((2, 3), "float32")):
    a = R.call_packed("f", x, sinfo_args=R.Tuple(R.Object, T.float32))
    #!                                                     ^^^^^^^^^ error[RLX0352]: `T.float32` inside of another one is not a StructInfo annotation
    #!     fix: write `R.Prim("float32")`
    #! a: R.Tuple(R.Object, R.Prim("float32"))
    b = R.call_packed("f", x, sinfo_args=R.Callable(T.int32, R.Object))
    #!                                              ^^^^^^^ error[RLX0352]: `T.int32` inside of another one is not a StructInfo annotation
    #!     fix: write `R.Prim("int32")`
    #! b: R.Callable((R.Prim("int32"),), R.Object, True)
    return a


@R.function(pure=False)
def as_arguments(x: R.Tensor((2, 3), "float32")):
    a = R.call_packed("f", x, sinfo_args=T.int64)
    #!                                   ^^^^^^^ error[RLX0301]: R.call_packed expects a StructInfo or a list of them as `sinfo_args`, found the dtype T.int64: here write `R.Prim("int64")`
    #! a: R.Object
    b = R.call_packed("f", x, sinfo_args=[R.Object, T.int64])
    #!                                   ^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.call_packed expects a StructInfo or a list of them as `sinfo_args`, found the dtype T.int64: here write `R.Prim("int64")`
    #! b: R.Object
    c = R.call_packed("f", x, sinfo_args=[R.Object, R.Prim("int64")])
    #! c: R.Tuple(R.Object, R.Prim("int64"))
    d = R.call_packed("f", x, sinfo_args=R.DTensor)
    #! d: R.DTensor("", "")
    return c


@R.function(pure=False)
def made(x: R.Tensor((2, 3), "float32"), c: R.Object):
    a = R.call_inplace_packed("f", c, x, inplace_indices=[0], sinfo_args=(R.Object,))
    #!                                                                   ^^^^^^^^^^^ error[RLX0301]: R.call_inplace_packed expects a StructInfo with parentheses, R.Tensor() as `sinfo_args`, found a tuple
    #! a: R.Object
    b = R.call_inplace_packed("f", c, x, inplace_indices=[0], sinfo_args=(R.Object(),))
    #! b: R.Object
    d = R.invoke_pure_closure(c, (x,), sinfo_args=[R.Tensor((2, 3), "float32"), R.Tensor])
    #!                        ^ warning[RLX0334]: `c` is read here, but `R.call_inplace_packed` has overwritten it
    #!     line 30: overwritten here
    #!                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.invoke_pure_closure expects a StructInfo with parentheses, R.Tensor() as `sinfo_args`, found a list
    #! d: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor)
    e = R.call_packed("f", x, sinfo_args=(R.Object,))
    #! e: R.Object
    return e
