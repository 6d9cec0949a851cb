# 0.27: T.ptx in a function of Relax; a text before other operands is none of the words that TVM prints.
from tvm.script import relax as R, tirx as T


@R.function
def main(x: R.Any) -> R.Any:
    a = R.prim_value(T.ptx.wgmma.nothing("n", T.uint32(7)))
    #!               ^^^^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.wgmma.nothing` fits no instruction of PTX: `nothing` is no word of it, or not here
    #! a: R.Object
    return x
