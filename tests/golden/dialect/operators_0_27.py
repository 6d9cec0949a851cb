# Operators whose rules are others from 0.27 on: places of a grid, maps of volumes, quantisation of scalars and of what has no dtype, rows in reverse.
# rlx-golden: check
from tvm.script import ir as I
from tvm.script import relax as R, tirx as T


@I.ir_module
class New:
    @R.function(private=True)
    def grids(x: R.Tensor(("n", 3, 8, 8), "float32"), g: R.Tensor(("n", 2, 5, 6), "float32"), v: R.Tensor((1, 2, 4, 4, 4), "float16"), h: R.Tensor((1, 3, 7, 8, 9), "float32"), u: R.Any):
        n = T.int64()
        image: R.Tensor((n, 3, 5, 6), "float32") = R.image.grid_sample(x, g)
        volume: R.Tensor((1, 2, 7, 8, 9), "float16") = R.image.grid_sample(v, h, layout="NCDHW")
        wrong: R.Tensor((n, 3, 2, 5), "float32") = R.image.grid_sample(x, g, method="nearest")
        #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((n, 3, 2, 5), dtype="float32"), but the value is R.Tensor((n, 3, 5, 6), dtype="float32"): dimension 2 is 5, expected 2
        #!     line 14: the value is the result of R.image.grid_sample
        #!     line 10: `x` is R.Tensor((n, 3, 8, 8), dtype="float32")
        #!     line 10: `g` is R.Tensor((n, 2, 5, 6), dtype="float32")
        #!     fix: annotate what is deduced
        return image, volume, wrong

    @R.function(private=True)
    def maps(a: R.Tensor((2, 2, 3), "float32"), b: R.Tensor(("n", 3, 4), "float32"), s: R.Shape(ndim=3), u: R.Any):
        n = T.int64()
        plane: R.Tensor((2, 2, 6, 7), "float32") = R.image.affine_grid(a, (6, 7))
        volume: R.Tensor((n, 3, 5, 6, 7), "float32") = R.image.affine_grid(b, (5, 6, 7), align_corners=False)
        some: R.Tensor(ndim=5, dtype="float32") = R.image.affine_grid(b, s)
        bad = R.image.affine_grid(a, (5, 6, 7))
        #!                        ^ error[RLX0312]: R.image.affine_grid: dimension 1 of `data` is 2, expected 3
        #!     line 18: `a` is R.Tensor((2, 2, 3), dtype="float32")
        #!                        ^ error[RLX0312]: R.image.affine_grid: dimension 2 of `data` is 3, expected 4
        #!     line 18: `a` is R.Tensor((2, 2, 3), dtype="float32")
        return plane, volume, some, bad

    @R.function(private=True)
    def scales(x: R.Tensor((), "float16"), y: R.Tensor(("n", 4)), k: R.Tensor((1,), "float32"), l: R.Tensor((4,), "float32"), z: R.Tensor((), "int8"), u: R.Any):
        one: R.Tensor((), "int8") = R.quantize(x, k, z, out_dtype="int8")
        some: R.Tensor = R.dequantize(y, l, z, out_dtype="float16")
        #!    ^^^^^^^^ hint[RLX0366]: annotated as R.Tensor, deduced is R.Tensor((n, 4))
        #!     fix: make annotation finer
        bad = R.quantize(x, l, z, out_dtype="uint8")
        #!                  ^ error[RLX0310]: R.quantize: `scale` has R.Tensor((4,), dtype="float32"), expected one element, as the operand is a scalar
        return one, some, bad

    @R.function(private=True)
    def rows(x: R.Tensor((4, "n", 3), "int8"), k: R.Tensor((4,), "int32"), l: R.Tensor(("m",), "int64"), f: R.Tensor((4,), "float32"), u: R.Any):
        n = T.int64()
        a: R.Tensor((4, n, 3), "int8") = R.reverse_sequence(x, k)
        b = R.reverse_sequence(x, l, seq_axis=0, batch_axis=-2)
        c = R.reverse_sequence(x, k, seq_axis=1, batch_axis=2)
        #!                        ^ error[RLX0312]: R.reverse_sequence: dimension 0 of `seq_lengths` is 4, expected 3
        #!     line 34: `x` is R.Tensor((4, n, 3), dtype="int8")
        #!     line 34: `k` is R.Tensor((4,), dtype="int32")
        d = R.reverse_sequence(x, f)
        #!                        ^ error[RLX0309]: R.reverse_sequence: `seq_lengths` has dtype float32, expected int32 or int64
        e = R.reverse_sequence(x, k, batch_axis=3)
        #!                                      ^ error[RLX0305]: R.reverse_sequence: axis 3 is out of range for rank 3: expected -3 to 2
        #!     fix: change to `2`
        return a, b, c, d, e

    @R.function
    def gone(x: R.Tensor((16,), "float32")):
        a = R.layout_transform(x, index_map=lambda i: (i // 4, i % 4), pad_value=None, axis_separators=[])
        #!                                                                             ^^^^^^^^^^^^^^^ error[RLX0424]: R.layout_transform has no parameter `axis_separators` since 0.26
        #!     fix: remove it
        b = R.layout_transform(x, index_map=lambda i: (i // 4, i % 4), pad_valu=None)
        #!                                                             ^^^^^^^^ error[RLX0424]: R.layout_transform has no parameter `pad_valu`; did you mean `pad_value`?
        #!     fix: change to `pad_value`
        c = R.call_dps_packed("f", (x,), out_ty=R.Tensor((16,), "float32"))
        return a, b, c

    @R.function
    def positions(x: R.Tensor((16,), "float32")):
        a = R.argsort(x, dtype=None)
        b = R.topk(x, k=2, dtype=None)
        return a, b

    @R.function
    def sizes(x: R.Tensor((2, 3, 32, 32), "float32"), q: T.int64):
        a = R.image.resize2d(x, q)
        b = R.image.resize2d(x, R.prim_value(4))
        return a, b
