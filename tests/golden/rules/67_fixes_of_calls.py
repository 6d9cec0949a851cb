# Calls that lack what their operands decide, or are given it as something else: each has a fix, which may not be what was meant.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class M:
    @T.prim_func(s_tir=True)
    def copy(A: T.Buffer((2, 3), "float32"), B: T.Buffer((2, 3), "float32")):
        for i, j in T.grid(2, 3):
            with T.sblock("copy"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]

    @R.function
    def direct(x: R.Tensor((2, 3), "float32")):
        cls = M
        y = cls.copy(x)
        #!      ^^^^ error[RLX0426]: `copy` takes 2 arguments, 1 given; `R.call_tir` allocates a PrimFunc's outputs
        #!     line 9: declared here
        #!     line 24: here, too
        #!     fix: call it with `R.call_tir`
        return y

    @R.function
    def direct2(x: R.Tensor((2, 3), "float32")):
        cls = M
        y: R.Tensor((2, 3), "float32") = cls.copy(x)
        return y

    @R.function
    def direct3(x: R.Tensor((2, 3), "float32")):
        y = copy(x)
        #!  ^^^^ error[RLX0204]: function `copy` of the module is written `M.copy`, or `cls.copy` after `cls = M`
        #!     fix: refer to it through the module
        return y


@R.function
def zeros(x: R.Tensor((2, 3), "float32")):
    y = R.zeros((2, 3))
    #!    ^^^^^ error[RLX0423]: R.zeros: argument `dtype` is missing
    #!     fix: give it `dtype="float32"`
    z = R.add(x, y)
    return z


@R.function
def ln(x: R.Tensor((2, 3), "float32"), g: R.Tensor((3,), "float32")):
    y = R.nn.layer_norm(x, g, g)
    #!       ^^^^^^^^^^ error[RLX0423]: R.nn.layer_norm: argument `axes` is missing
    #!     fix: give it `axes=[-1]`
    return y


@R.function
def unpack(x: R.Tensor((6, 3), "float32")):
    a, b = R.split(x, 3, axis=0)
#!  ^^^^ error[RLX0359]: 2 names for a tuple of 3
    #!     fix: split it into 2
    return a


@R.function
def unpack2(x: R.Tensor((6, 3), "float32")):
    a, b, c = R.split(x, 2, axis=0)
#!  ^^^^^^^ error[RLX0359]: 3 names for a tuple of 2
    #!     fix: split it into 3
    return a


@R.function
def perm(x: R.Tensor((6, 3, 2), "float32")):
    y = R.permute_dims(x, axes=[1, 0])
    #!                         ^^^^^^ error[RLX0306]: R.permute_dims: 2 axes given for a tensor of rank 3
    #!     fix: name all axes
    return y


@R.function
def perm2(x: R.Tensor((6, 3, 2), "float32")):
    y = R.permute_dims(x, [0, 2])
    #!                    ^^^^^^ error[RLX0306]: R.permute_dims: 2 axes given for a tensor of rank 3
    #!     fix: name all axes
    return y


@R.function
def full(x: R.Tensor((2, 3), "float32")):
    y = R.full((2, 3), 1.0)
    #!                 ^^^ error[RLX0301]: R.full expects a tensor as `fill_value`, found the float 1
    #!     fix: make it a constant
    z = R.concat(x, x)
    #!           ^ error[RLX0301]: R.concat expects a tuple of tensors as `tensors`, found R.Tensor((2, 3), dtype="float32")
    #!     fix: write them as a tuple
    w = R.concat([x, x])
    return z


@R.function
def ones(x: R.Tensor((2, 3), "float32")):
    y = R.ones((2, 3))
    #!    ^^^^ error[RLX0423]: R.ones: argument `dtype` is missing
    #!     fix: give it `dtype="float32"`
    return y


# The dtype that the function's tensors have in common.
@R.function
def half(x: R.Tensor((2, 3), "float16"), y: R.Tensor((2, 3), "float16")):
    z = R.zeros((2, 3))
    #!    ^^^^^ error[RLX0423]: R.zeros: argument `dtype` is missing
    #!     fix: give it `dtype="float16"`
    w = R.full((2, 3), 0)
    #!                 ^ error[RLX0301]: R.full expects a tensor as `fill_value`, found the int 0
    #!     fix: make it a constant
    return z


# How many axes the weight has.
@R.function
def two_axes(x: R.Tensor((4, 2, 3), "float32"), g: R.Tensor((2, 3), "float32")):
    y = R.nn.layer_norm(x, g, g)
    #!       ^^^^^^^^^^ error[RLX0423]: R.nn.layer_norm: argument `axes` is missing
    #!     fix: give it `axes=[-2, -1]`
    return y


# Nothing is known of what is to be taken, or it is no element.
@R.function
def silent(x: R.Tensor((2, 3), "float32"), n: R.Prim("int64")):
    a = x[n]
    #!  ^^^^ error[RLX0358]: only tuples can be indexed, found R.Tensor((2, 3), dtype="float32")
    b = x[0, 1, 0]
    #!  ^^^^^^^^^^ error[RLX0358]: only tuples can be indexed, found R.Tensor((2, 3), dtype="float32")
    c = x[-1]
    #!  ^ error[RLX0358]: only tuples can be indexed, found R.Tensor((2, 3), dtype="float32")
    return x


# No constant of the dtype that the others have is this number.
@R.function
def no_constant(x: R.Tensor((2, 3), "int8")):
    a = R.full((2, 3), 300)
    #!                 ^^^ error[RLX0301]: R.full expects a tensor as `fill_value`, found the int 300
    b = R.full((2, 3), 0.5)
    #!                 ^^^ error[RLX0301]: R.full expects a tensor as `fill_value`, found the float 0.5
    c = R.full((2, 3), 3)
    #!                 ^ error[RLX0301]: R.full expects a tensor as `fill_value`, found the int 3
    #!     fix: make it a constant
    return a
