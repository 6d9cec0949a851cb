# What operands may be from 0.27 on: numbers of Python where 0.25 wants R.prim_value, dtypes that are not known; a tensor has no
# attributes of its own, and calls of PrimFuncs take no tir_vars.
# rlx-golden: check
from tvm.script import ir as I
from tvm.script import relax as R, tirx as T


@I.ir_module
class New:
    @R.function(private=True)
    def numbers(x: R.Tensor(("n", 4), "float16"), i: R.Tensor((3,), "int32"), o: R.Any):
        n = T.int64()
        row: R.Tensor((4,), "float16") = R.take(x, n - 1, axis=0)
        hot: R.Tensor((3, 5), "float64") = R.one_hot(i, 2.0, -1.0, 5)
        cold: R.Tensor((3, 2), "bool") = R.one_hot(i, False, True, 2)
        found = R.unique(x, 0, 1)
        storage = R.memory.alloc_storage(R.shape([16]), n, "global", "uint8")
        tensor = R.memory.alloc_tensor(storage, 1.5, R.shape([4]), "float32")
        wrong = R.take(x, 2.5, axis=1)
        #!                ^^^ error[RLX0309]: R.take: `indices` has dtype float32, expected an integer dtype
        #!     fix: cast it to int64
        mixed = R.one_hot(i, 1, 0.0, 5)
        #!                      ^^^ error[RLX0302]: R.one_hot: operands have different dtypes, int64 and float64
        #!     line 11: `i` is R.Tensor((3,), dtype="int32")
        text = R.memory.alloc_tensor(storage, "a", R.shape([4]), "float32")
        #!                                    ^^^ error[RLX0301]: R.memory.alloc_tensor expects a number as `offset`, found the string "a"
        return row, hot, cold, found, tensor, wrong, mixed, text

    @R.function(private=True)
    def dtypes(c: R.Tensor((2, 3)), x: R.Tensor((2, 3), "int8"), p: R.Tensor((4, 5), "bfloat16"), u: R.Tensor((2, 1)), s: R.Tensor((2, 1), "int32"), o: R.Any):
        some: R.Tensor((2, 3), "int8") = R.where(c, x, x)
        drawn: R.Tensor((2, 1), "int64") = R.multinomial_from_uniform(p, u, s)
        wrong = R.where(x, x, x)
        #!              ^ error[RLX0309]: R.where: `condition` has dtype int8, expected bool
        #!     fix: cast it to bool
        other = R.multinomial_from_uniform(s, u, s)
        #!                                 ^ error[RLX0309]: R.multinomial_from_uniform: `prob` has dtype int32, expected a floating-point dtype
        return some, drawn, wrong, other

    @R.function(private=True)
    def attributes(x: R.Tensor, t: R.Tuple(R.Tensor(ndim=2), R.Any), o: R.Any):
        rank = x.ndim
        #!       ^^^^ error[RLX0203]: `R.Tensor.ndim` does not exist
        rows = t[0].shape[0]
        #!          ^^^^^ error[RLX0203]: `R.Tensor(ndim=2).shape` does not exist
        bits = R.abs(x).dtype.bits
        #!              ^^^^^ error[RLX0203]: `R.Tensor.dtype` does not exist
        half = x.astype("float16")
        return rank, rows, bits, half

    @R.function(private=True)
    def views(x: R.Tensor((2, 3)), y: R.Tensor(ndim=1, dtype="int8"), o: R.Any):
        a = R.memory.view(x, (3, 2), relative_byte_offset=8)
        b = R.memory.view(x, relative_byte_offset=8)
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0323]: R.memory.view: an offset without a smaller shape reaches beyond the tensor
        c = R.memory.view(y, None, None, 1)
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0323]: R.memory.view: an offset without a smaller shape reaches beyond the tensor
        return a, b, c

    @R.function(private=True)
    def grids(x: R.Tensor((1, 2, 8, 8), "float32"), g: R.Tensor((1, 2, 5), "float32"), o: R.Any):
        flat = R.image.grid_sample(x, g)
        #!                            ^ error[RLX0310]: R.image.grid_sample: `grid` has rank 3, expected rank 4
        return flat
