# rlx-golden: check
# What symbolic expressions and variables have behind a dot in 0.27, where variables have the methods of buffers, and stop in all of them.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def main(x: R.Tensor(("n",), "float32"), p: R.Prim("int64")) -> R.Any:
    n = T.int64()
    a = n.ty
    b = n.dtype
    #!    ^^^^^ error[RLX0203]: `n.dtype` does not exist
    c = (n * 2).dtype
    #!          ^^^^^ error[RLX0203]: `n * 2.dtype` does not exist
    d = n.type_annotation
    #!    ^^^^^^^^^^^^^^^ error[RLX0203]: `n.type_annotation` does not exist
    e = x.local
    f = x.local()
    #!    ^^^^^ error[RLX0428]: `.local` of a tensor can't be called
    g = x.vload([0])
    #!    ^^^^^ error[RLX0428]: `.vload` of a tensor can't be called
    k = n.scope
    l = n.scope()
    #!    ^^^^^ error[RLX0428]: `.scope` of a symbolic variable can't be called
    h = p.astype("int32")
    i = R.prim_value(1).value
    j = T.int64("nan")
    #!          ^^^^^ error[RLX0446]: T.int64: `expr` is the string "nan", expected a number or a symbolic expression
    return h
