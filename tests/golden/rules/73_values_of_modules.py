# What stands in a module's class, options of targets, ranges of devices; Python's objects that no function of T takes.
from tvm.script.parser import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    I.module_attrs((given := {"a": 1}))
    #!              ^^^^^^^^^^^^^^^^^ error[RLX0429]: an assignment expression can't be used in a Relax function
    I.module_global_infos(
        {
            "mesh": [R.device_mesh((0,), I.Range(5, 2))],
            "vdevice": [I.vdevice({"kind": "cuda", "arch": "sm_80", "feature.x": 1}, 0), I.vdevice({"kind": "llvm", "tirx.noalias": 1}, 0)],
            #!                                                                                                      ^^^^^^^^^^^^^^ error[RLX0446]: I.vdevice: `target` is the string "tirx.noalias", expected an option of targets of kind "llvm"
        }
    )

    @R.function(pure=False)
    def numbers(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        R.vm.call_tir_dyn("g", (x, n, R.shape([n])))
        #!                         ^ error[RLX0301]: R.vm.call_tir_dyn expects Relax values as `args`, found the symbolic integer `n`
        #! _: R.Tuple
        R.vm.call_tir_dyn("g", (x, 4))
        #!                         ^ error[RLX0301]: R.vm.call_tir_dyn expects Relax values as `args`, found the Python int 4
        #! _: R.Tuple
        R.vm.call_tir_dyn("g", (x, R.shape([n])))
        #! _: R.Tuple
        old = R.call_packed("f", x, sinfo_args=R.Tensor((4, 4), "float32"))
        #! old: R.Tensor((4, 4), dtype="float32")
        return old

    @R.function
    def objects(x: R.Tensor((2,), "float32")):
        a = R.prim_value(T.int64(2j))
        #!                       ^^ error[RLX0446]: T.int64: `expr` is a complex number, expected a number or a symbolic expression
        #! a: R.Object
        b = R.prim_value(T.max({3}, 1))
        #!                     ^^^ error[RLX0446]: T.max: `a` is a set, expected a number or a symbolic expression
        #! b: R.Object
        return x


@I.ir_module
class Fewer:
    I.module_global_infos({"mesh": [R.device_mesh((3,), I.Range(5, 2))]})
    #!                                                  ^^^^^^^^^^^^^ error[RLX0446]: R.device_mesh: `device_ids` is 0 devices, expected 3, one for each place of the shape

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x
