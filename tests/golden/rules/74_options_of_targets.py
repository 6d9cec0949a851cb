# Each kind of target has options of its own, and of what kind they are; hosts and devices are targets, too.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Devices:
    I.module_global_infos(
        {
            "vdevice": [
                I.vdevice({"kind": "cuda", "arch": "sm_80", "thread_warp_size": 32, "libs": ("cublas",)}),
                I.vdevice({"kind": "llvm", "fast-math": 1, "feature.avx": "any", "host": None}),
                I.vdevice({"tag": "nvidia/nvidia-a100", "mcpu": "x", "max_num_threads": 4}),
                I.vdevice({"kind": "llvm", "thread_warp_size": 32}),
                #!                         ^^^^^^^^^^^^^^^^^^ error[RLX0446]: I.vdevice: `target` is the string "thread_warp_size", expected an option of targets of kind "llvm"
            ]
        }
    )

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x


@R.function
def targets(x: R.Tensor((2,), "float32")):
    a = T.target({"kind": "opencl", "texture_depth_limit": 2}, {"kind": "c", "march": "x"})
    b = T.target({"kind": "hexagon", "texture_depth_limit": 2})
    #!                               ^^^^^^^^^^^^^^^^^^^^^ error[RLX0446]: T.target: `target_config` is the string "texture_depth_limit", expected an option of targets of kind "hexagon"
    #! b: R.Object
    c = T.target("cuda", host={"mcpu": "x"})
    #!                        ^^^^^^^^^^^^^ error[RLX0446]: T.target: `host` is a dict, expected a target with its "kind"
    #! c: R.Object
    d = T.target({"kind": "metal", "mattr": []})
    #!                             ^^^^^^^ error[RLX0446]: T.target: `target_config` is the string "mattr", expected an option of targets of kind "metal"
    #! d: R.Object
    e = T.target({"kind": "vulkan", "supports_int8": "yes"})
    #!                                               ^^^^^ error[RLX0446]: T.target: `target_config` is the string "yes", expected what that option takes
    #! e: R.Object
    f = T.target({"kind": "llvm", "libs": ["cblas", 3]})
    #!                                              ^ error[RLX0446]: T.target: `target_config` is the Python int 3, expected what that option takes
    #! f: R.Object
    g = T.target({"kind": "cuda", "arch": "80"})
    #!                                    ^^^^ error[RLX0446]: T.target: `target_config` is the string "80", expected a name that begins with "sm_"
    #! g: R.Object
    h = T.target({"kind": "cuda", "host": {"kind": "llvm", "arch": "x"}})
    #!                                                     ^^^^^^ error[RLX0446]: T.target: `target_config` is the string "arch", expected an option of targets of kind "llvm"
    #! h: R.Object
    i = T.target({"kind": "composite", "devices": ["cuda", "cud"]})
    #!                                                     ^^^^^ error[RLX0446]: T.target: `target_config` is the string "cud", expected the kind of a target, as "cuda"
    #! i: R.Object
    return x


@T.prim_func(s_tir=True)
def attributes(A: T.Buffer((4,), "float32")):
    T.func_attr({"a": T.target({"kind": "cuda", "max_num_threads": 512, "host": {"kind": "c"}}), "b": T.target("rocm", host="llvm")})
    A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def option_of_others(A: T.Buffer((4,), "float32")):
    T.func_attr({"target": T.target({"kind": "metal", "vtcm-capacity": 4})})
    #!                                                ^^^^^^^^^^^^^^^ error[RLX0614]: the string "vtcm-capacity", expected an option of targets of kind "metal"
    A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def value_of_option(A: T.Buffer((4,), "float32")):
    T.func_attr({"target": T.target({"kind": "opencl", "thread_warp_size": "8"}, "cpu")})
    #!                                                                     ^^^ error[RLX0614]: the string "8", expected what that option takes
    A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def host_of_nothing(A: T.Buffer((4,), "float32")):
    T.func_attr({"target": T.target("vulkan", host={"march": "x"})})
    #!                                             ^^^^^^^^^^^^^^ error[RLX0614]: a dictionary, expected a target with its "kind"
    A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def text_of_options(A: T.Buffer((4,), "float32")):
    T.func_attr({"target": T.target("hexagon -num-cores=2")})
    #!                              ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: options of a target stand in a dictionary: {"kind": "hexagon", …}
    A[0] = T.float32(1)
