# rlx-golden: check
# T.Tuple is a type of 0.27: of what its members stand for, and no annotation of Relax, which parameters and other annotations take.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def members(x: R.Tensor((3,), "float32"), n: T.int64) -> T.Tuple(R.Tensor((3,), "float32"), R.Any):
    a: T.Tuple(R.Tensor((3,), "float32"), T.Tuple(R.Tensor)) = (x, (x,))
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0366]: annotated as R.Tuple(R.Tensor((3,), dtype="float32"), R.Tuple(R.Tensor)), deduced is R.Tuple(R.Tensor((3,), dtype="float32"), R.Tuple(R.Tensor((3,), dtype="float32")))
    #!     fix: make annotation finer
    b: T.Tuple(x) = (x,)
    c: T.Tuple(R.Tensor((4,), "float32")) = (x,)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tuple(R.Tensor((4,), dtype="float32")), but the value is R.Tuple(R.Tensor((3,), dtype="float32")): field 0: dimension 0 is 3, expected 4
    #!     fix: annotate what is deduced
    d: T.Tuple() = (x,)
    #! ^^^^^^^^^ error[RLX0350]: annotated as R.Tuple, but the value is R.Tuple(R.Tensor((3,), dtype="float32")): the number of fields is 1, expected 0
    #!     fix: annotate what is deduced
    e: T.Tuple(R.Callable, T.int64) = (x, x)
    #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tuple(R.Callable, R.Prim("int64")), but the value is R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((3,), dtype="float32")): field 0: R.Tensor((3,), dtype="float32") is not R.Callable
    #!     fix: annotate what is deduced
    f: T.Tuple(R.Tensor(("m",), "float32")) = (x,)
    #!                   ^^^ error[RLX0365]: "m" as a dimension can stand in signatures only: write the variable without quotes
    #!     fix: write it without quotes
    return (x, a)


@R.function
def no_members(x: R.Tensor((3,), "float32")) -> R.Any:
    a = T.Tuple(x)
    b: a = (x,)
    c = T.Tuple(3)
    #!          ^ error[RLX0446]: T.Tuple: `fields` is the Python int 3, expected a type
    d = T.Tuple("a", x)
    #!          ^^^ error[RLX0446]: T.Tuple: `fields` is the string "a", expected a type
    e = T.Tuple([x])
    #!          ^^^ error[RLX0446]: T.Tuple: `fields` is a list, expected a type
    f = T.Tuple(k=x)
    #!          ^ error[RLX0424]: T.Tuple has no parameter `k`
    g: T.Tuple = (x,)
    #! ^^^^^^^ error[RLX0352]: `T.Tuple` is not a StructInfo annotation
    return x


@R.function
def places(x: R.Tuple(T.Tuple(R.Tensor)), y: T.Tuple(R.Tensor), f: R.Callable((R.Tensor,), T.Tuple(R.Tensor))) -> R.Any:
#!                    ^^^^^^^^^^^^^^^^^ error[RLX0352]: `T.Tuple` inside of another one is not a StructInfo annotation
#!                                           ^^^^^^^^^^^^^^^^^ error[RLX0352]: `T.Tuple` of a parameter is not a StructInfo annotation
#!                                                                                         ^^^^^^^^^^^^^^^^^ error[RLX0352]: `T.Tuple` inside of another one is not a StructInfo annotation
    a: R.Tuple(T.Tuple(R.Tensor)) = ((x,),)
    return x


@R.function
def result(x: R.Tensor(("n",), "float32")) -> T.Tuple(R.Tensor(("n",), "float32")):
#!                                                              ^^^ error[RLX0365]: "n" as a dimension can stand in signatures only: write the variable without quotes
    return (x,)
