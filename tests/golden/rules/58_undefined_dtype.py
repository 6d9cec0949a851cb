# A name that nothing defines where a dtype stands is one mistake: it is no dimension as well.
from tvm.script import relax as R


@R.function
def tensor(x: R.Tensor((4,), KIND)):
#!                           ^^^^ error[RLX0201]: `KIND` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    return R.exp(x)
    #! gv: R.Tensor((4,))


@R.function
def scalar(x: R.Tensor((4,), "float32"), s: R.Prim(OTHER)):
#!                                                 ^^^^^ error[RLX0201]: `OTHER` is not defined: a symbolic dimension of a signature is a string
#!     fix: make it a string dimension
    return R.exp(x)
    #! gv: R.Tensor((4,), dtype="float32")
