# What 0.27 takes as an expression where 0.25 wants one of Relax: numbers and strings of R.assert_op, names of devices.
# rlx-golden: check
from tvm.script import relax as R


@R.function(pure=False)
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool"), o: R.Any) -> R.Any:
    R.assert_op(True)
    R.assert_op(1 < 2)
    R.assert_op(1)
    #!          ^ error[RLX0301]: R.assert_op expects a bool scalar as `condition`, found the int 1
    R.assert_op(c, [1, 2.5, False, "a", x], "{} {} {} {} {}")
    R.assert_op(c, [None], "{}")
    #!             ^^^^^^ error[RLX0301]: R.assert_op expects expressions as `format_args`, found a list
    R.assert_op(c, 1, "{}")
    #!             ^ error[RLX0301]: R.assert_op expects expressions as `format_args`, found the int 1
    a = R.hint_on_device(x, "cuda")
    b = R.hint_on_device(x, "vulkan:2")
    d = R.hint_on_device(x, "gpu")
    #!                      ^^^^^ error[RLX0301]: R.hint_on_device expects a device, as R.cpu(0) as `dst_vdevice`, found the string "gpu"
    e = R.hint_on_device(x, "cpu:")
    #!                      ^^^^^^ error[RLX0301]: R.hint_on_device expects a device, as R.cpu(0) as `dst_vdevice`, found the string "cpu:"
    f = R.hint_on_device(x, "cpu:x")
    #!                      ^^^^^^^ error[RLX0301]: R.hint_on_device expects a device, as R.cpu(0) as `dst_vdevice`, found the string "cpu:x"
    g = R.hint_on_device(x, "rocm:3:global")
    #!                      ^^^^^^^^^^^^^^^ error[RLX0301]: R.hint_on_device expects a device, as R.cpu(0) as `dst_vdevice`, found the string "rocm:3:global"
    s = R.memory.alloc_storage({6}, 0, "global", "uint8")
    #!                         ^^^ error[RLX0301]: R.memory.alloc_storage expects a shape as `size`, found a set
    t = R.vm.alloc_storage({"a": 6}, 0, "uint8")
    #!                     ^^^^^^^^ error[RLX0301]: R.vm.alloc_storage expects a shape as `shape`, found a dict
    return o


# A view's dtype is one that has bytes, stated as a word or as a value; one that is left out is the operand's.
@R.function
def views(x: R.Tensor((4,), "float32"), d: R.Any):
    a = R.memory.view(x, dtype="void")
    #!                         ^^^^^^ error[RLX0301]: R.memory.view expects a dtype other than void as `dtype`, found the string "void"
    b = R.memory.view(x, R.shape([2, 2]), R.dtype(""))
    #!                                    ^^^^^^^^^^^ error[RLX0301]: R.memory.view expects a dtype other than void as `dtype`, found the dtype "void"
    c = R.memory.view(x, R.shape([2, 2]), R.dtype("float16"))
    e = R.memory.view(x, dtype=d)
    f = R.memory.view(x, R.shape([2, 2]))
    return x
