# What a parameter takes: attributes are plain Python values, operands are expressions. Each mistake stands beside what is right.
from tvm.script.parser import ir as I, relax as R, tirx as T


@R.function(pure=False)
def attributes(x: R.Tensor((2, 3, 4), "float32"), u: R.Tensor(ndim=3)):
    a0 = R.argmax(x, axis=1, keepdims=True)
    #! a0: R.Tensor((2, 1, 4), dtype="int64")
    a1 = R.argmax(x, axis=1, keepdims=1)
    #! a1: R.Tensor((2, 1, 4), dtype="int64")
    a2 = R.argmax(x, axis=1, keepdims="True")
    #!                                ^^^^^^ error[RLX0301]: R.argmax expects True or False as `keepdims`, found the string "True"
    #!     fix: write `True`
    #! a2: R.Tensor(dtype="int64")
    a3 = R.argmax(x, axis=T.int64(1))
    #!                    ^^^^^^^^^^ error[RLX0301]: R.argmax expects an int as `axis`, found the integer expression 1
    #! a3: R.Tensor((2, 4), dtype="int64")
    a4 = R.argmax(x, axis=R.prim_value(1))
    #!                    ^^^^^^^^^^^^^^^ error[RLX0301]: R.argmax expects an int as `axis`, found R.Prim(value=1)
    #! a4: R.Tensor((2, 4), dtype="int64")
    a5 = R.sum(x, axis=[0, 1.0])
    #!                 ^^^^^^^^ error[RLX0301]: R.sum expects a list of ints as `axis`, found a list
    #! a5: R.Tensor(dtype="float32")
    a6 = R.ccl.allgather(x, 2, in_group="True")
    #!                                  ^^^^^^ error[RLX0301]: R.ccl.allgather expects True or False as `in_group`, found the string "True"
    #!     fix: write `True`
    #! a6: R.Tensor((4, 3, 4), dtype="float32")
    a7 = R.nn.dropout(x, rate="0.5")
    #!                        ^^^^^ error[RLX0301]: R.nn.dropout expects a number as `rate`, found the string "0.5"
    #! a7: R.Tuple(R.Tensor((2, 3, 4), dtype="float32"), R.Tensor((2, 3, 4), dtype="float32"))
    a8 = R.sum(x, axis=-None)
    #!                 ^^^^^ error[RLX0421]: `-` can't be applied to `None`
    #! a8: R.Tensor(dtype="float32")
    a9 = R.unique(u, return_counts=1)
    #!                             ^ error[RLX0301]: R.unique expects True or False as `return_counts`, found the int 1
    #! a9: R.Tuple(R.Tensor(ndim=1), R.Tensor(dtype="int64", ndim=1))
    return x


@R.function(pure=False)
def operands(x: R.Tensor((2, 3), "float32"), o: R.Object):
    b0 = R.memory.kill_tensor(x)
    #! b0: R.Tuple
    b1 = R.memory.kill_tensor([x])
    #!                        ^^^ error[RLX0301]: R.memory.kill_tensor expects an expression as `tensor`, found a tuple or list of Python
    #! b1: R.Tuple
    b2 = R.memory.ensure_zero_offset((x, x))
    #!                               ^^^^^^ error[RLX0301]: R.memory.ensure_zero_offset expects an expression as `data`, found a tuple or list of Python
    #! b2: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32"))
    b3 = R.nn.relu("x")
    #!             ^^^ error[RLX0301]: R.nn.relu expects a tensor as `data`, found the string "x"
    #! b3: R.Tensor
    b4 = R.memory.view(x, None, None, None)
    #! b4: R.Tensor((2, 3), dtype="float32")
    b5 = R.broadcast_to(x, None)
    #!                     ^^^^ error[RLX0301]: R.broadcast_to expects a shape as `shape`, found None
    #! b5: R.Tensor
    b6 = R.vm.alloc_tensor(o, "0", R.shape([2]), "float32")
    #!                        ^^^ error[RLX0301]: R.vm.alloc_tensor expects a number as `offset`, found the string "0"
    #! b6: R.Tensor((2,), dtype="float32")
    b7 = R.hint_on_device(x, R.cpu(0))
    #! b7: R.Tensor((2, 3), dtype="float32")
    b70 = R.hint_on_device(x, R.cpu(1.0))
    #!                              ^^^ error[RLX0446]: R.cpu: `dev_id` is the Python float 1, expected an int
    #! b70: R.Tensor((2, 3), dtype="float32")
    b8 = R.hint_on_device(x, "cpu")
    #!                       ^^^^^ error[RLX0301]: R.hint_on_device expects a device, as R.cpu(0) as `dst_vdevice`, found the string "cpu"
    #! b8: R.Tensor((2, 3), dtype="float32")
    b9 = R.layout_transform(x, index_map=lambda i, j: (i, j, 7))
    #!                                   ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.layout_transform expects a lambda that gives expressions of its indices as `index_map`, found a list
    #! b9: R.Tensor(dtype="float32", ndim=3)
    return x


@R.function
def ranks(x: R.Tensor(dtype="float32"), y: R.Tensor(ndim=2), v: R.Tensor(ndim=1)):
    c0 = R.permute_dims(x)
    #! c0: R.Tensor(dtype="float32")
    c1 = R.permute_dims(x, axes=[1, 0])
    #!                  ^ error[RLX0369]: R.permute_dims has to know the rank of `x`
    #! c1: R.Tensor(dtype="float32", ndim=2)
    c2 = R.permute_dims(y, axes=[1, 0])
    #! c2: R.Tensor(ndim=2)
    c3 = R.stack((x, y))
    #!           ^^^^^^ error[RLX0369]: R.stack has to know the rank of the first tensor
    #! c3: R.Tensor(ndim=3)
    c4 = R.stack((y, x))
    #! c4: R.Tensor(ndim=3)
    c5 = R.median(y, axis=[0, 1])
    #! c5: R.Tensor(())
    c6 = R.median(v, axis=0)
    #! c6: R.Tuple(R.Tensor(()), R.Tensor((), dtype="int64"))
    return x


@R.function(pure=False)
def lists(x: R.Tensor((8, 5), "float32")):
    e0 = R.strided_slice(x, axes=[0], begin=[0], end=[4])
    #! e0: R.Tensor((4, 5), dtype="float32")
    e1 = R.strided_slice(x, axes=[0], begin=None, end=[4])
    #!                                      ^^^^ error[RLX0301]: R.strided_slice expects a list of integers as `begin`, found None
    #! e1: R.Tensor(dtype="float32", ndim=2)
    e3 = R.call_builtin_with_ctx("vm.builtin.x", (x,), R.Tensor((8,), "float32"))
    #!                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0422]: R.call_builtin_with_ctx takes at most 2 positional arguments, 3 given
    #!     fix: remove it
    #! e3: R.Object
    return x


@R.function
def mesh(x: R.DTensor((3, 4), "float32", R.device_mesh((4,), [0, 1, 2, 3, 4]), "R")):
#!                                                           ^^^^^^^^^^^^^^^ error[RLX0446]: R.device_mesh: `device_ids` is 5 devices, expected 4, one for each place of the shape
    return x


@R.function
def names(n: R.Tensor(("n", 3), "float32"), m: R.Tensor((2,), "float32")):
#!        ^ error[RLX0219]: `n` is a symbolic variable of the signature, it can't become a Relax variable
    return n


@I.ir_module
class Devices:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda")]})

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        d0 = R.to_vdevice(x, "cuda")
        #! d0: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0:global")
        d1 = R.to_vdevice(x, "metal")
        #!                   ^^^^^^^ warning[RLX0368]: R.to_vdevice: no virtual device of the module is "metal", so the device of the result is not known
        #! d1: R.Tensor((2, 3), dtype="float32")
        d2 = R.to_vdevice(x, "cuda:7")
        #!                   ^^^^^^^^ error[RLX0301]: R.to_vdevice expects a device of the module (I.module_global_infos) as `dst_vdevice`, found the string "cuda:7"
        #! d2: R.Tensor((2, 3), dtype="float32")
        d3 = R.to_vdevice(x, 1)
        #!                   ^ error[RLX0301]: R.to_vdevice expects a device as `dst_vdevice`, found the int 1
        #! d3: R.Tensor((2, 3), dtype="float32")
        return d0
