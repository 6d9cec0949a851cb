# The borders of operators' rules: the last value that is taken, the first that is not.
from tvm.script import relax as R


@R.function
def main(
    x: R.Tensor((2, 3), "float32"),
    one: R.Tensor((3, 1), "float32"),
    v: R.Tensor((3,), "float32"),
    big: R.Tensor((1, 4, 2, 2), "float32"),
    cond: R.Tensor((2, 3), "bool"),
):
    same_rank = R.broadcast_to(x, (2, 3))
    #! same_rank: R.Tensor((2, 3), dtype="float32")
    less_rank = R.broadcast_to(x, (3,))
    #!                         ^ error[RLX0310]: R.broadcast_to: `x` has rank 2, expected at most the target's rank 1
    #! less_rank: R.Tensor((3,), dtype="float32")
    to_one = R.collapse_sum_to(x, (1, 3))
    #! to_one: R.Tensor((1, 3), dtype="float32")
    to_other = R.collapse_sum_to(x, (2, 2))
    #!                              ^^^^^^ error[RLX0325]: R.collapse_sum_to: shape (2, 2) can't be broadcast to (2, 3)
    #!     line 7: `x` is R.Tensor((2, 3), dtype="float32")
    #! to_other: R.Tensor((2, 2), dtype="float32")
    first_axis = R.unique(x, axis=-2)
    #! first_axis: R.Tensor(dtype="float32", ndim=2)
    no_axis = R.unique(x, axis=-3)
    #!                         ^^ error[RLX0305]: R.unique: axis -3 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `-2`
    #! no_axis: R.Tensor(dtype="float32", ndim=2)
    by_vector = R.matmul(x, v)
    #! by_vector: R.Tensor((2,), dtype="float32")
    by_short_vector = R.matmul(one, v)
    #!                ^^^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 1 in (3, 1), 3 in (3,)
    #!     line 8: `one` is R.Tensor((3, 1), dtype="float32")
    #!     line 9: `v` is R.Tensor((3,), dtype="float32")
    #! by_short_vector: R.Tensor((3,), dtype="float32")
    by_matrix = R.matmul(x, one)
    #! by_matrix: R.Tensor((2, 1), dtype="float32")
    chosen = R.where(cond, x, x)
    #! chosen: R.Tensor((2, 3), dtype="float32")
    not_chosen = R.where(x, x, x)
    #!                   ^ error[RLX0309]: R.where: `condition` has dtype float32, expected bool
    #!     fix: cast it to bool
    #! not_chosen: R.Tensor((2, 3), dtype="float32")
    steps = R.arange(1, 5)
    #! steps: R.Tensor((4,), dtype="int64")
    no_steps = R.arange(1, 5, 0)
    #!                        ^ error[RLX0318]: R.arange: `step` is 0, expected another number
    #! no_steps: R.Tensor(dtype="int64", ndim=1)
    padded = R.nn.pad(x, [1, 1, 0, 2])
    #! padded: R.Tensor((4, 5), dtype="float32")
    half_padded = R.nn.pad(x, [1, 1])
    #!                        ^^^^^^ error[RLX0316]: R.nn.pad: `pad_width` has 2 values, expected 4, two for each axis
    #! half_padded: R.Tensor(dtype="float32", ndim=2)
    shuffled = R.nn.pixel_shuffle(big, 2)
    #! shuffled: R.Tensor((1, 1, 4, 4), dtype="float32")
    from_first = R.strided_slice(x, axes=[1], begin=[0], end=[2])
    #! from_first: R.Tensor((2, 2), dtype="float32")
    from_end = R.strided_slice(x, axes=[1], begin=[-1], end=[-4], strides=[-1])
    #! from_end: R.Tensor((2, 3), dtype="float32")
    return shuffled


@R.function
def behind_the_output(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.exp(x)
        #! y: R.Tensor((2, 3), dtype="float32")
        R.output(y)
        pass
    return y
