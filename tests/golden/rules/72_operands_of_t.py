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
    b = T.target(None)
    #!           ^^^^ error[RLX0446]: T.target: `target_config` is `None`, expected a string or a dict
    #! b: R.Object
    return x


@R.function
def hosts(x: R.Tensor((2, 3), "float32")):
    a = T.target("cuda", host=T.target("llvm"))
    b = T.target(T.target("llvm"))
    #!           ^^^^^^^^^^^^^^^^ error[RLX0446]: T.target: `target_config` is a target, expected a string or a dict
    #! b: R.Object
    c = T.target("llvm -mcpu=skylake")
    #!           ^^^^^^^^^^^^^^^^^^^^ error[RLX0446]: T.target: `target_config` is the string "llvm -mcpu=skylake", expected the kind of a target, as "cuda"
    #! c: R.Object
    d = T.target("metal", host="llvmx")
    #!                         ^^^^^^^ error[RLX0446]: T.target: `host` is the string "llvmx", expected the kind of a target, as "cuda"
    #! d: R.Object
    e = T.target("llvm").kind
    #! e: R.Object
    f = T.target("llvm").mcpu
    #!                   ^^^^ error[RLX0203]: `a target.mcpu` does not exist
    #! f: R.Object
    return x


@R.function
def operands(x: R.Tensor((2, 3), "float32")):
    a = T.exp(T.target("llvm"))
    #!        ^^^^^^^^^^^^^^^^ error[RLX0446]: T.exp: `x` is a target, expected a number or a symbolic expression
    #! a: R.Object
    b = T.target("llvm") + 1
    #!  ^^^^^^^^^^^^^^^^^^^^ error[RLX0421]: `+` can't be applied to a target and the Python int 1
    #! b: R.Object
    return (T.target("llvm"), x)
    #!     ^^^^^^^^^^^^^^^^^^^^^ error[RLX0442]: a tuple is not a Relax value
