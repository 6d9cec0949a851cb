# rlx-golden: check
# A name stands once among the targets of a statement, `_` as well; a symbolic variable of the signature is given what needs nothing of the
# function; a PrimFunc's handle without a buffer takes anything, and counts.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def twice(x: R.Tensor((2, 3), "float32")):
    t = (x, x)
    _, _ = t
    #! ^ error[RLX0444]: `_` twice in one statement can't be assigned to in a Relax function
    a, (b, *a) = x, t
    #!      ^ error[RLX0444]: `a` twice in one statement can't be assigned to in a Relax function
    return x


@R.function
def before(x: R.Tensor(("n", "m"), "float32")):
    n = n + 1
#!  ^ error[RLX0219]: `n` is a symbolic variable of the signature, it can't become a Relax variable
    m = 0.5
#!  ^ error[RLX0219]: `m` is a symbolic variable of the signature, it can't become a Relax variable
    return x


@T.prim_func(s_tir=True)
def loops(A: T.Buffer((16, 16), "float32")):
    for _, _ in T.grid(16, 16):
    #!     ^ error[RLX0602]: `_` is defined in this scope already
        A[0, 0] = T.float32(1)
    for i, *j in T.grid(4, 4, 4):
        with T.sblock("b"):
            vi = T.axis.spatial(4, i)
            A[vi, j[1]] = T.float32(1)
            #!    ^ error[RLX0601]: loop `j` is used inside block "b", which sees its block variables only
    for k in T.grid(4, 4):
        with T.sblock("c"):
            vi = T.axis.spatial(4, k[0])
            A[vi, k[1]] = T.float32(1)
            #!    ^ error[RLX0601]: loop `k` is used inside block "c", which sees its block variables only


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func
    def some(A: T.Buffer((4,), "float32"), h: T.handle, B: T.Buffer((4,), "float32")):
        B[0] = A[0]

    @T.prim_func
    def named(a: T.handle, B: T.Buffer((4,), "float32")):
        A = T.match_buffer(param=a, shape=(5,), dtype="float32")
        B[0] = A[0]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.some, (x, x), out_sinfo=R.Tensor((4,), "float32"))
        z = R.call_tir(cls.some, (x,), out_sinfo=R.Tensor((4,), "float32"))
        #!                       ^^^^ error[RLX0439]: `some` has 3 parameters, this call gives 2 (inputs: 1, outputs: 1)
        #!     line 39: the PrimFunc
        w = R.call_tir(cls.named, (x,), out_sinfo=R.Tensor((4,), "float32"))
        #!                         ^ error[RLX0440]: input 0 of `named` is R.Tensor((4,), dtype="float32"), expected R.Tensor((5,), dtype="float32"): dimension 0 is 4, expected 5
        #!     line 43: this parameter of the PrimFunc
        return y
