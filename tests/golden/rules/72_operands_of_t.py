# Operands of intrinsics may be any variable in 0.27; T.target takes a string or a dict.
from tvm.script import ir as I, relax as R, tirx as T


@R.function(pure=False)
def main(x: R.Tensor((2, 3), "float32"), s: R.Shape([2])):
    a = T.cuda.nano_sleep(x)
    b = T.tvm_call_packed("f", s)
    c = T.sqrt(x)
    #!         ^ error[RLX0446]: T.sqrt: `x` is R.Tensor((2, 3), dtype="float32"), expected a number or a symbolic expression
    #! c: R.Object
    return x


@R.function
def targets(x: R.Tensor((2, 3), "float32")):
    a = T.target({"kind": "llvm"}, host="llvm")
    #! a: R.Object
    b = T.target(None)
    #!           ^^^^ error[RLX0446]: T.target: `target_config` is `None`, expected a string or a dict
    #! b: R.Object
    return x
