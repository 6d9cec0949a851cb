# rlx-golden: check
# Attributes that a call can't have: None where a value is needed, sizes that are no lists, numbers that their dtype
# can't hold, placements and meshes of no such form.
from tvm.script.parser import ir as I, relax as R, tirx as T


@R.function
def no_axis(x: R.Tensor((2, 3), "float32")):
    gv = R.nn.softmax(x, axis=None)
    #!                        ^^^^ error[RLX0301]: R.nn.softmax expects an int as `axis`, found None
    return gv


@R.function
def no_window(x: R.Tensor((2, 4, 9), "float32")):
    gv = R.nn.max_pool1d(x, pool_size=None)
    #!                                ^^^^ error[RLX0301]: R.nn.max_pool1d expects an int or a list of ints as `pool_size`, found None
    return gv


@R.function
def allowed(x: R.Tensor((3,), "float32"), y: R.Tensor((4,), "float32")):
    a = R.concat((x, y), axis=None)
    b = R.cumsum(a, axis=None, exclusive=None)
    return b


@R.function
def no_list(g: R.Tensor((1, 3, 4, 4), "float32"), x: R.Tensor((1, 3, 8, 8), "float32")):
    gv = R.grad.max_pool2d_backward(g, x, strides=2)
    #!                                            ^ error[RLX0301]: R.grad.max_pool2d_backward expects a list of ints as `strides`, found the int 2
    return gv


@R.function
def one_size(x: R.Tensor((2, 3, 4, 5, 6), "float32")):
    gv = R.nn.adaptive_avg_pool3d(x, [2])
    #!                               ^^^ error[RLX0316]: R.nn.adaptive_avg_pool3d: `output_size` has 1 value, expected 3
    return gv


@R.function
def too_big(x: R.Tensor((2,), "uint8")):
    a = R.const(256, "uint8")
    #!          ^^^ error[RLX0446]: R.const: `value` is the Python int 256, expected a number that uint8 holds
    b = R.const([1, -1], "uint8")
    #!              ^^ error[RLX0446]: R.const: `value` is the Python int -1, expected a number that uint8 holds
    return R.add(a, b)


@R.function
def negative_rank(x: R.Tensor):
    gv = R.match_cast(x, R.Tensor(ndim=-2))
    #!                                 ^^ error[RLX0446]: R.Tensor: `ndim` is the Python int -2, expected the number of dimensions, or -1
    return gv


@R.function
def unsigned_indices(x: R.Tensor((2, 3), "float32"), i: R.Tensor((2, 3), "uint32")):
    gv = R.gather_elements(x, i)
    #!                        ^ error[RLX0309]: R.gather_elements: `indices` has dtype uint32, expected a signed integer dtype
    return gv


@R.function
def negative_axis(x: R.Tensor((3, 4), "float32")):
    gv = R.ccl.scatter_from_worker0(x, num_workers=2, axis=-1)
    #!                                                     ^^ error[RLX0305]: R.ccl.scatter_from_worker0: axis -1 is out of range for rank 2: expected 0 to 1
    #!     fix: change to `0`
    return gv


@R.function
def bool_operand(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "bool")):
    a = R.add(x, y)
    b = R.ewise_fma(a, y, x)
    #!  ^^^^^^^^^^^^^^^^^^^^ error[RLX0302]: R.ewise_fma: operands have different dtypes, float32 and bool
    #!     line 65: `a` is R.Tensor((2, 3), dtype="float32")
    #!     line 64: `y` is R.Tensor((2, 3), dtype="bool")
    #!     line 64: `x` is R.Tensor((2, 3), dtype="float32")
    #!     fix: cast the right operand to float32
    return b


@R.function
def bool_padding(x: R.Tensor((6, 3), "bool")):
    gv = R.layout_transform(x, index_map=lambda i, j: (i // 4, j, i % 4), pad_value=3)
    #!                                                                              ^ error[RLX0302]: R.layout_transform: operands have different dtypes, bool and int64
    #!     line 71: `x` is R.Tensor((6, 3), dtype="bool")
    return gv


@R.function
def no_result(x: R.Tensor((2,), "float32"), c: R.Object):
    gv = R.invoke_pure_closure(c, (x,))
    #!     ^^^^^^^^^^^^^^^^^^^ error[RLX0423]: R.invoke_pure_closure: argument `sinfo_args` is missing
    return gv


@I.ir_module
class Placed:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})

    @R.function
    def mesh(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
        gv = R.dist.redistribute(x, "mesh", "R")
        #!                          ^^^^^^ error[RLX0301]: R.dist.redistribute expects a mesh of the module, as "mesh[0]" as `device_mesh`, found the string "mesh"
        return gv

    @R.function
    def placement(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
        gv = R.dist.annotate_sharding(x, "mesh[0]", "all")
        #!                                          ^^^^^ error[RLX0301]: R.dist.annotate_sharding expects a placement, as "S[0], R" as `placement`, found the string "all"
        return gv

    @R.function
    def placed_axis(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
        gv = R.dist.redistribute(x, "mesh[0]", "S[2]")
        #!                                     ^^^^^^ error[RLX0301]: R.dist.redistribute expects a placement over axes that the tensor has as `placement`, found the string "S[2]"
        return gv

    @R.function
    def beside(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]"), y: R.Tensor((8, 8), "float32"), k: R.Prim("float32")):
        both = R.multiply(y, x)
        #!                ^ error[RLX0301]: R.multiply expects an R.DTensor (another operand is one) as `x1`, found R.Tensor((8, 8), dtype="float32")
        scaled = R.add(x, k)
        #!                ^ error[RLX0301]: R.add expects an R.DTensor (another operand is one) as `x2`, found R.Prim("float32")
        joined = R.clip(x, 0, 1)
        #!              ^ error[RLX0301]: R.clip expects a tensor that is not distributed as `x`, found R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")
        fine = R.matmul(R.exp(x), x)
        #!              ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        return both, scaled, joined, fine

    @R.function
    def annotated(x: R.DTensor((8, 8), "float32", "mesh[0]", "S(0)")):
    #!                                                       ^^^^^^ error[RLX0446]: R.DTensor: `placement` is the string "S(0)", expected a placement, as "S[0], R"
        return x

    @R.function
    def summed(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
        gv = R.sum(x, axis=2)
        #!                 ^ error[RLX0305]: R.sum: axis 2 is out of range for rank 2: expected -2 to 1
        #!     fix: change to `1`
        return gv


@I.ir_module
class Meshed:
    I.module_global_infos({"mesh": [R.device_mesh((2,), [0, "n"])]})
    #!                                                      ^^^ error[RLX0446]: R.device_mesh: `device_ids` is the string "n", expected an int

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        return x


# TVM keeps the low 32 bits of a rank.
@R.function
def wide_ranks(x: R.Tensor(ndim=-2147483649), y: R.Tensor(ndim=4294967296), z: R.Tensor(ndim=4294967295)):
    return y


@R.function
def wide_negative_rank(x: R.Tensor(ndim=4294967294)):
#!                                      ^^^^^^^^^^ error[RLX0446]: R.Tensor: `ndim` is the Python int 4294967294, expected the number of dimensions, or -1
    return x
