# rlx-golden: check
# R.emit_te calls a function of Python: one that tvm.topi has, with arguments that it takes.
import tvm
from tvm import te, topi
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Calls:
    @R.function
    def names(x: R.Tensor((4, 6), "float32"), y: R.Tensor((3, 6), "float32")):
        a = R.emit_te(topi.adds, x, x)
        #!            ^^^^^^^^^ error[RLX0203]: `topi.adds` does not exist; did you mean `topi.add`?
        b = R.emit_te(topi.nn.relus, x)
        #!            ^^^^^^^^^^^^^ error[RLX0203]: `topi.nn.relus` does not exist; did you mean `topi.nn.relu`?
        c = R.emit_te(tvm.topi.math.exp, x)
        d = R.emit_te(topi.math.exps, x)
        #!            ^^^^^^^^^^^^^^ error[RLX0203]: `topi.exps` does not exist; did you mean `topi.exp`?
        return x

    @R.function
    def arguments(x: R.Tensor((4, 6), "float32"), y: R.Tensor((3, 6), "float32")):
        a = R.emit_te(topi.add, x)
        #!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0423]: topi.add: argument `rhs` is missing
        b = R.emit_te(topi.subtract, x, x, z=1)
        #!                                 ^ error[RLX0424]: topi.subtract has no parameter `z`
        c = R.emit_te(topi.clip, x, 0, 1, 2)
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0422]: topi.clip takes at most 3 positional arguments, 4 given
        d = R.emit_te(topi.sum, x, axis=0, keepdim=True)
        #!                                 ^^^^^^^ error[RLX0424]: topi.sum has no parameter `keepdim`; did you mean `keepdims`?
        e = R.emit_te(topi.min, x, axis=0, keepdims=True, primfunc_name_hint="m")
        f = R.emit_te(topi.trilu, topi.full, tvm.tirx.const(1, "int32"), uppers=True)
        #!                                                               ^^^^^^ error[RLX0424]: topi.trilu has no parameter `uppers`; did you mean `upper`?
        g = R.emit_te(topi.einsum, "ij,ij->ij", x, x)
        h = R.emit_te(topi.nn.dense, x, biass=x)
        #!                              ^^^^^ error[RLX0424]: topi.nn.dense has no parameter `biass`; did you mean `bias`?
        return x

    @R.function
    def lambdas(x: R.Tensor((4, 6), "float32"), y: R.Tensor((3, 6), "float32")):
        a = R.emit_te(lambda s: s, x, y, primfunc_name_hint="one")
        #!            ^^^^^^^^^^^ error[RLX0422]: the lambda takes at most 1 positional argument, 2 given
        b = R.emit_te(lambda s, t: s, x, primfunc_name_hint="two")
        #!            ^^^^^^^^^^^^^^ error[RLX0423]: the lambda: argument `t` is missing
        c = R.emit_te(lambda s, t=1: s, x, primfunc_name_hint="either")
        d = R.emit_te(lambda *s: s[0], x, y, primfunc_name_hint="any")
        return x

    @R.function
    def axes(x: R.Tensor((4, 6), "float32"), y: R.Tensor((3, 6), "float32")):
        a = R.emit_te(topi.multiply, x, y)
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.multiply: shapes (4, 6) and (3, 6) can't be broadcast: dimension 0 is 4, dimension 0 of the other is 3
        #!     line 39: `x` is R.Tensor((4, 6), dtype="float32")
        #!     line 39: `y` is R.Tensor((3, 6), dtype="float32")
        b = R.emit_te(topi.max, x, axis=2)
        #!                              ^ error[RLX0305]: R.max: axis 2 is out of range for rank 2: expected -2 to 1
        #!     fix: change to `1`
        c = R.emit_te(topi.transpose, x, (0, 0))
        #!                               ^^^^^^ error[RLX0304]: R.permute_dims: axis 0 appears more than once in `axes`
        #!     fix: change to `1`
        d = R.emit_te(topi.broadcast_to, x, (5, 6))
        #!                               ^ error[RLX0325]: R.broadcast_to: shape (4, 6) can't be broadcast to (5, 6)
        #!     line 39: `x` is R.Tensor((4, 6), dtype="float32")
        e = R.emit_te(topi.nn.dense, x, R.permute_dims(y))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Calls` has a function `dense` already
        #!     line 27: the first one
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 6 in (4, 6), 3 in (3, 6)
        #!     line 39: `x` is R.Tensor((4, 6), dtype="float32")
        #!     fix: transpose the right operand
        #!                              ^^^^^^^^^^^^^^^^^ error[RLX0446]: R.emit_te: `args` is a call, expected a variable: bind its result to a name before
        f = R.emit_te(topi.prod, x, axis=[0, 0])
        return x


# What topi refuses as the operator does: dtypes that there are none of, and images of another rank.
@I.ir_module
class RanksAndDtypes:
    @R.function
    def main(x: R.Tensor((4, 6), "float32")):
        a = R.emit_te(topi.cumprod, x, axis=1, dtype="flaot32")
        #!                                           ^^^^^^^^^ error[RLX0308]: R.cumprod: there is no dtype "flaot32"; did you mean `float32`?
        #!     fix: change to `float32`
        b = R.emit_te(topi.nn.pool3d, x, [2, 2, 2], [1, 1, 1], [1, 1, 1], [0, 0, 0, 0, 0, 0], "max")
        #!                            ^ error[RLX0310]: R.nn.max_pool3d: `data` has rank 2, expected rank 5
        c = R.emit_te(topi.image.resize2d, x, [0.0, 0.0, 0.0, 0.0], [8, 8])
        #!                                 ^ error[RLX0310]: R.image.resize2d: `data` has rank 2, expected rank 4
        return x


# What topi checks and the operator does not.
@I.ir_module
class Checked:
    @R.function
    def checked(x: R.Tensor((4, 6), "float32"), b: R.Tensor((2, 3, 4), "float32"), c: R.Tensor((2, 3, 5), "float32"), i: R.Tensor((4, 6), "int32"), k: R.Tensor((1, 4, 6, 7), "float32")):
        v0 = R.emit_te(topi.cumprod, x, axis=-3, primfunc_name_hint="checked1")
        #!                                   ^^ error[RLX0305]: topi.cumprod: axis -3 is out of range for rank 2: expected -2 to 1
        v1 = R.emit_te(topi.cumsum, x, 1, primfunc_name_hint="checked2")
        v2 = R.emit_te(topi.nn.batch_matmul, x, x, primfunc_name_hint="checked3")
        #!                                   ^ error[RLX0310]: topi.nn.batch_matmul: `tensor_a` has rank 2, expected rank 3
        v3 = R.emit_te(topi.nn.batch_matmul, b, c, primfunc_name_hint="checked4")
        #!   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 4 in (2, 3, 4), 5 in (2, 5, 3)
        #!     line 64: `b` is R.Tensor((2, 3, 4), dtype="float32")
        v4 = R.emit_te(topi.scatter_elements, x, i, x, axis=2, primfunc_name_hint="checked5")
        #!                                                  ^ error[RLX0305]: topi.scatter_elements: axis 2 is out of range for rank 2: expected -2 to 1
        v5 = R.emit_te(topi.gather, x, 0, x, primfunc_name_hint="checked6")
        #!                                ^ error[RLX0309]: topi.gather: `indices` has dtype float32, expected an integer dtype
        v6 = R.emit_te(topi.gather, x, 0, i, primfunc_name_hint="checked7")
        v7 = R.emit_te(topi.layout_transform, k, "NCHW", "NHW", primfunc_name_hint="checked8")
        #!                                               ^^^^^ error[RLX0319]: topi.layout_transform: layout "NCHW" of `src_layout` can't be converted to NHW
        v8 = R.emit_te(topi.layout_transform, b, "NCHW", "NHWC", primfunc_name_hint="checked9")
        #!                                    ^ error[RLX0310]: topi.layout_transform: `array` has rank 3, expected that of layout "NCHW"
        v9 = R.emit_te(topi.nn.conv2d, b, k, 1, 0, 1, primfunc_name_hint="checked10")
        #!                             ^ error[RLX0310]: R.nn.conv2d: `data` has rank 3, expected rank 4
        return v1


# Numbers that no constant of TVM's holds, or none of the dtype that topi casts them to.
@I.ir_module
class Numbers:
    @R.function
    def right(x: R.Tensor((4, 6), "float32"), y: R.Tensor((4, 6), "int8")):
        a = R.emit_te(topi.full, (2, 3), "int64", 2**63 - 1, primfunc_name_hint="a")
        b = R.emit_te(topi.full, (2, 3), "bfloat16", 1e30, primfunc_name_hint="b")
        c = R.emit_te(topi.add, y, 1000, primfunc_name_hint="c")
        d = R.emit_te(topi.full_like, y, -128, primfunc_name_hint="d")
        e = R.emit_te(topi.maximum, x, -3.4e38, primfunc_name_hint="e")
        return (a, b, c, d, e)

    @R.function
    def beyond(x: R.Tensor((4, 6), "float32"), y: R.Tensor((4, 6), "int8")):
        a = R.emit_te(topi.full, (2, 3), "int64", 2**63, primfunc_name_hint="f")
        #!                                        ^^^^^ error[RLX0446]: topi.full: `fill_value` is the Python int 9223372036854775808 of 64 bits, expected a number that int64 holds
        b = R.emit_te(topi.full, (2, 2**64), "int8", 1, primfunc_name_hint="g")
        #!                           ^^^^^ error[RLX0446]: topi.full: `shape` is an integer of more than 64 bits, expected a number that int64 holds
        c = R.emit_te(topi.full, (2, 3), "uint8", -1, primfunc_name_hint="h")
        #!                                        ^^ error[RLX0446]: topi.full: `fill_value` is the Python int -1, expected a number that uint8 holds
        d = R.emit_te(topi.full_like, y, 128, primfunc_name_hint="i")
        #!                               ^^^ error[RLX0446]: topi.full_like: `fill_value` is the Python int 128, expected a number that int8 holds
        e = R.emit_te(topi.minimum, 1e39, x, primfunc_name_hint="j")
        #!                          ^^^^ error[RLX0446]: topi.minimum: `lhs` is the Python float 1e+39, expected a number that float32 holds
        f = R.emit_te(topi.full, shape=(2,), dtype="float16", fill_value=65505.0, primfunc_name_hint="k")
        #!                                                               ^^^^^^^ error[RLX0446]: topi.full: `fill_value` is the Python float 65505, expected a number that float16 holds
        return (a, b, c, d, e, f)
