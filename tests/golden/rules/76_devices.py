# rlx-golden: check
# What indices of devices, their targets and the tags of targets are.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    a = R.hint_on_device(x, R.metal(None))
    b = R.hint_on_device(x, R.rocm(n))
    #!                             ^ error[RLX0446]: R.rocm: `dev_id` is the symbolic integer `n`, expected an int
    c = R.hint_on_device(x, R.vulkan(R.prim_value(2)))
    #!                               ^^^^^^^^^^^^^^^ error[RLX0446]: R.vulkan: `dev_id` is R.Prim(value=2), expected an int
    d = R.hint_on_device(x, R.opencl(2**40))
    #!                               ^^^^^ error[RLX0446]: R.opencl: `dev_id` is the Python int 1099511627776, expected an int of 32 bits
    e = R.hint_on_device(x, R.webgpu(-2147483648))
    f = R.hint_on_device(x, R.device("vpi", 1 << 31))
    #!                                      ^^^^^^^ error[RLX0446]: R.device: `index` is the Python int 2147483648, expected an int of 32 bits
    g = R.hint_on_device(x, R.hexagon(0, 1))
    #!                        ^^^^^^^ error[RLX0422]: R.hexagon takes at most 1 positional argument, 2 given
    h = R.to_vdevice(x, I.vdevice("llvm", x))
    #!                                    ^ error[RLX0446]: I.vdevice: `vdevice_id` is R.Tensor((n,), dtype="float32"), expected an int
    i = R.to_vdevice(x, I.vdevice("llvm", 0, R.str("local")))
    #!                                       ^^^^^^^^^^^^^^ error[RLX0446]: I.vdevice: `memory_scope` is R.Object, expected a string
    j = R.to_vdevice(x, I.vdevice("nvidia/geforce-rtx-9999"))
    #!                            ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0446]: I.vdevice: `target` is the string "nvidia/geforce-rtx-9999", expected the kind of a target, as "cuda"
    k = R.to_vdevice(x, I.vdevice("raspberry-pi/4b-aarch64"))
    l = R.to_vdevice(x, I.vdevice({"tag": "apple/m3"}))
    #!                                    ^^^^^^^^^^ error[RLX0446]: I.vdevice: `target` is the string "apple/m3", expected the tag of a target, as "nvidia/nvidia-a100"
    m = R.to_vdevice(x, I.vdevice({"kind": "apple/m1-gpu"}))
    #!                                     ^^^^^^^^^^^^^^ error[RLX0446]: I.vdevice: `target` is the string "apple/m1-gpu", expected the kind of a target, as "cuda"
    o = R.to_vdevice(x, I.vdevice({"kind": "rocm", "mtriple": "x86_64-linux-gnu"}))
    #!                                                        ^^^^^^^^^^^^^^^^^^ error[RLX0446]: I.vdevice: `target` is the string "x86_64-linux-gnu", expected a name that begins with "amdgcn-amd-amdhsa-hcc"
    p = R.to_vdevice(x, I.vdevice({"kind": "vulkan", "max_num_threads": n}))
    #!                                                                  ^ error[RLX0446]: I.vdevice: `target` is the symbolic integer `n`, expected what that option takes
    q = R.to_vdevice(x, R.cuda(0))
    #!                  ^^^^^^^^^ error[RLX0301]: R.to_vdevice expects a device as `dst_vdevice`, found a device or range
    return x
