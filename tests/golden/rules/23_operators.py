# rlx-golden: check
# What operators' rules report, one mistake a function; behind it the same call as it is right.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Devices:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda")]})

    @R.function
    def apart(a: R.Tensor((4, 8), "float32", "cuda"), b: R.Tensor((8,), "float32", "llvm")):
        z = R.subtract(a, b)
        #!  ^^^^^^^^^^^^^^^^ error[RLX0307]: R.subtract: operands are on different devices, cuda:0 and llvm:0
        #!     line 11: `a` is R.Tensor((4, 8), dtype="float32", vdevice="cuda:0:global")
        #!     line 11: `b` is R.Tensor((8,), dtype="float32", vdevice="llvm:0:global")
        return z

    @R.function
    def together(a: R.Tensor((4, 8), "float32", "cuda"), b: R.Tensor((8,), "float32", "llvm")):
        b1 = R.to_vdevice(b, "cuda")
        z = R.subtract(a, b1)
        return z


@R.function
def ranks(a: R.Tensor((4, 3), "float32"), b: R.Tensor((4, 3, 1), "float32")):
    z = R.concat((a, b), axis=-1)
    #!           ^^^^^^ error[RLX0311]: R.concat: `tensors[1]` has rank 3, but `tensors` has rank 2
    #!     line 23: `a` is R.Tensor((4, 3), dtype="float32")
    #!     line 23: `b` is R.Tensor((4, 3, 1), dtype="float32")
    return z


@R.function
def ranks_right(a: R.Tensor((4, 3), "float32"), b: R.Tensor((4, 3), "float32")):
    z = R.concat((a, b), axis=-1)
    return z


@R.function
def two_unknown(a: R.Tensor((4, 6), "float32")):
    z = R.reshape(a, (-1, 3, -1))
    #!               ^^^^^^^^^^^ error[RLX0314]: R.reshape: the new shape can't be worked out: more than one dimension is -1
    return z


@R.function
def no_such_axis_to_copy(a: R.Tensor((4, 6), "float32")):
    z = R.reshape(a, (4, 3, 0))
    #!               ^^^^^^^^^ error[RLX0314]: R.reshape: the new shape can't be worked out: dimension 2 is 0, but the tensor has rank 2
    return z


@R.function
def unknown_right(a: R.Tensor((4, 6), "float32")):
    y = R.reshape(a, (-1, 3, 2))
    z = R.reshape(y, (0, -1))
    return z


@R.function
def parts(a: R.Tensor((2, 9, 5, 5), "float32")):
    z = R.nn.pixel_shuffle(a, upscale_factor=2)
    #!                     ^ error[RLX0320]: R.nn.pixel_shuffle: the number of channels is 9, which is not divisible by 4
    return z


@R.function
def parts_right(a: R.Tensor((2, 9, 5, 5), "float32")):
    z = R.nn.pixel_shuffle(a, upscale_factor=3)
    return z


@R.function
def nothing_to_join(a: R.Tensor((2,), "float32")):
    z = R.concat((), axis=0)
    #!           ^^ error[RLX0321]: R.concat: `tensors` is empty, expected at least one tensor
    return z


@R.function
def one_to_join(a: R.Tensor((2,), "float32")):
    z = R.concat((a,), axis=0)
    return z


@R.function
def letters(a: R.Tensor((2, 3), "float32"), b: R.Tensor((3, 4), "float32")):
    z = R.einsum((a, b), subscripts="ij,jk->ikl")
    #!                              ^^^^^^^^^^^^ error[RLX0322]: R.einsum: subscripts "ij,jk->ikl": l stands in the result only
    return z


@R.function
def letters_right(a: R.Tensor((2, 3), "float32"), b: R.Tensor((3, 4), "float32")):
    z = R.einsum((a, b), subscripts="ij,jk->ik")
    return z


@R.function
def bytes_of_view(a: R.Tensor((4, 4), "float32")):
    z = R.memory.view(a, (3, 3), relative_byte_offset=32)
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0323]: R.memory.view: the view ends at byte 68, the tensor has 64 bytes
    return z


@R.function
def bytes_of_view_right(a: R.Tensor((4, 4), "float32")):
    z = R.memory.view(a, (2, 4), relative_byte_offset=32)
    return z


@R.function
def shape_needed(a: R.Tensor(dtype="float32", ndim=2)):
    z = R.eye_like(a)
    #!             ^ error[RLX0324]: R.eye_like: the shape of `x` must be known, found R.Tensor(dtype="float32", ndim=2)
    return z


@R.function
def shape_given(a: R.Tensor(dtype="float32", ndim=2)):
    k = T.int64()
    m = T.int64()
    b = R.match_cast(a, R.Tensor((k, m), "float32"))
    z = R.eye_like(b)
    return z


@R.function
def too_small(a: R.Tensor((4, 6), "float32")):
    z = R.broadcast_to(a, (4, 1))
    #!                 ^ error[RLX0325]: R.broadcast_to: shape (4, 6) can't be broadcast to (4, 1)
    #!     line 117: `a` is R.Tensor((4, 6), dtype="float32")
    return z


@R.function
def large_enough(a: R.Tensor((4, 1), "float32")):
    z = R.broadcast_to(a, (2, 4, 6))
    return z


@R.function(pure=False)
def argument_twice(a: R.Tensor((4,), "float32"), b: R.Tensor((4,), "float32")):
    z = R.call_inplace_packed("f", a, b, inplace_indices=[1, 1], sinfo_args=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
    #!                                                   ^^^^^^ error[RLX0326]: R.call_inplace_packed: in-place index 1 appears more than once
    return z


@R.function(pure=False)
def argument_once(a: R.Tensor((4,), "float32"), b: R.Tensor((4,), "float32")):
    z = R.call_inplace_packed("f", a, b, inplace_indices=[1, -1], sinfo_args=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
    return z


@R.function
def answer_is_known(a: R.Tensor((4, 6), "float32")):
    z = a.shape[1]
    #!  ^^^^^^^^^^ error[RLX0328]: relax.inspect.tensor_shape_i: the answer is known here, 6: write it down
    return z


@R.function
def answer_is_not_known(a: R.Tensor(dtype="float32", ndim=2)):
    z = a.shape[1]
    return z


@R.function
def no_machine(a: R.Tensor((4,), "float32")):
    z = R.astype(a, "int24")
    #!              ^^^^^^^ warning[RLX0329]: R.astype: "int24" is a dtype that no machine has
    #!     fix: change to `int64`
    return z


@R.function
def a_machine(a: R.Tensor((4,), "float32")):
    z = R.astype(a, "int32")
    return z
