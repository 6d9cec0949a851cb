# A PrimFunc whose signature asks for a Relax function that calls it: nothing is known of it meanwhile, and nothing crashes.
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def k(A: T.Buffer((4,), "float32"), B: Module.main(1)):
        Module.main(A)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        gv = R.call_tir(Module.k, (x,), R.Tensor((4,), "float32"))
        #! gv: R.Tensor((4,), dtype="float32")
        return gv
