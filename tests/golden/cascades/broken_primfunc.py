# Names in a PrimFunc that does not parse: those before the place are looked at, those behind it may follow from it.
# rlx-golden: check
from tvm.script import ir as I, relax as R, tirx as T


@T.prim_func(s_tir=True)
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.gird(16):
    #!         ^^^^ error[RLX0203]: `T.gird` does not exist; did you mean `T.grid`?
    #!     fix: change to `T.grid`
        with T.sblock("copy"):
            vi = T.axis.spatial(16, k)
            B[vi] = A[vi
            #!       ^ error[RLX0101]: this `[` is never closed
            #!     fix: close it
            B[vi] = B[vi] + C[vi]


@T.prim_func(s_tir=True)
def signature(A: T.Bufer((16,), "float32"), B: T.Buffer((16,), "float32")):
#!                 ^^^^^ error[RLX0203]: `T.Bufer` does not exist; did you mean `T.Buffer`?
#!     fix: change to `T.Buffer`
    for i in range(16):
        B[i] = A[i] +
        #!          ^ error[RLX0101]: a value is missing behind this


# The line before is wrong, and stands where it fits nothing: what is inside of it may follow.
@T.prim_func(s_tir=True)
def layout(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[j]
          B[i] = A[i]
#!        ^^^^^^^^^^^ error[RLX0101]: this line's indentation fits no block


# A bracket too many is wrong in its line, the decorator of the function behind is a mistake of its own.
@R.function
def closed(x: R.Tensor((4,), "float32")):
    y = R.exp(x))
    #!          ^ error[RLX0101]: this `)` closes nothing
    #!     fix: remove it
    return y

@R.function
#! 0-11 error[RLX0101]: a decorator stands before `def` or `class`
x = 1
