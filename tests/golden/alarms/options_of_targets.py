# An option of a target that another module names is not known: it is taken for none, and what it takes is not asked.
from options import OPTION, VALUE
from tvm.script import ir as I, relax as R


@I.ir_module
class Devices:
    I.module_global_infos(
        {
            "vdevice": [
                I.vdevice({"kind": "llvm", OPTION: "fast"}),
                I.vdevice({"kind": "llvm", OPTION: 3, "mcpu": VALUE}),
                I.vdevice({"kind": "cuda", "max_num_threads": True, "feature.is_aarch64": False}),
                I.vdevice({OPTION: "llvm"}, 0, "global"),
            ]
        }
    )

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x
