# rlx-golden: check
# What TVM's parser refuses of the namespace T: names, arguments, blocks where none may be, parts of buffers as values.
from tvm.script import ir as I, tirx as T


@T.prim_func(s_tir=True)
def names(A: T.Buffer((16,), "float32"), B: T.Bufer((16,), "float32")):
#!                                            ^^^^^ error[RLX0203]: `T.Bufer` does not exist; did you mean `T.Buffer`?
#!     fix: change to `T.Buffer`
    for i in T.seriall(16):
    #!         ^^^^^^^ error[RLX0203]: `T.seriall` does not exist; did you mean `T.serial`?
    #!     fix: change to `T.serial`
        with T.sblock("b"):
            vi = T.axis.spacial(16, i)
            #!          ^^^^^^^ error[RLX0203]: `T.axis.spacial` does not exist; did you mean `T.axis.spatial`?
            #!     fix: change to `T.axis.spatial`
            A[vi] = T.exq(T.float31(1))
            #!        ^^^ error[RLX0203]: `T.exq` does not exist; did you mean `T.exp`?
            #!     fix: change to `T.exp`
            #!              ^^^^^^^ error[RLX0203]: `T.float31` does not exist; did you mean `T.float32`?
            #!     fix: change to `T.float32`


@T.prim_func
def arguments(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.serial(0, 16, 1):
    #!       ^^^^^^^^^^^^^^^^^^ error[RLX0422]: T.serial takes at most 2 positional arguments, 3 given
        A[i] = T.min(B[i])
        #!     ^^^^^^^^^^^ error[RLX0423]: T.min: argument `b` is missing
        A[i] = T.Select(B[i] > T.float32(0), B[i])
        #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0423]: T.Select: argument `false_value` is missing
        A[i] = T.exp(B[i], B[i])
        #!     ^^^^^^^^^^^^^^^^^ error[RLX0422]: T.exp takes at most 1 positional argument, 2 given
        A[i] = T.cast(B[i], dtype="float32")
        A[i] = T.cast(B[i], typ="float32")
        #!                  ^^^ error[RLX0424]: T.cast has no parameter `typ`
        A[i] = T.exp(B[i], dtype="float32")
        A[i] = T.if_then_else(True, B[i], f=B[i], t=B[i])
        #!                                        ^^^^^^ error[RLX0425]: T.if_then_else: argument `t` is given twice
        A[i] = T.Cast(B[i], "float32")
        #!            ^^^^ error[RLX0614]: an expression of float32, expected a dtype as a string
        A[i] = T.call_extern("float32", "f", B[i], A[i])
        A[i] = T.call_extern("f", B[i], dtype="float32")


@T.prim_func(private=True)
def no_block(A: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.sblock("b"):
        #!   ^^^^^^^^ error[RLX0611]: `T.sblock` in a PrimFunc without `s_tir=True`
        #!     fix: add `s_tir=True`
            vi = T.axis.spatial(16, i)
            A[vi] = T.float32(0)


@T.prim_func(check_well_formed=False)
def unchecked(A: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.sblock("b"):
            vi = T.axis.spatial(16, i)
            A[vi] = T.float32(0)


@I.ir_module(s_tir=True)
class Whole:
    @T.prim_func
    def by_module(A: T.Buffer((16,), "float32")):
        with T.sblock("b"):
            A[0] = T.float32(0)

    @T.prim_func
    def allocated(A: T.Buffer((16,), "float32")):
        C = T.sblock_alloc_buffer((16,), "float32")
        #!  ^^^^^^^^^^^^^^^^^^^^^ error[RLX0611]: `T.sblock_alloc_buffer` in a PrimFunc without `s_tir=True`
        #!     fix: add `s_tir=True`
        A[0] = T.float32(0)


@T.prim_func(s_tir=True)
def parts(A: T.Buffer((16, 4), "float32"), B: T.Buffer((16, 4), "float32")):
    for i in range(16):
        with T.sblock("b"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi])
            B[vi, 0:4] = A[vi]
            B[vi, 0] = A[vi] * T.float32(2)
            #!         ^^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
            B[vi] = A[vi, 0]
#!          ^^^^^ error[RLX0604]: buffer `B` has 2 dimensions, and 1 index is given
            B[vi, 1] = 1.0 - A[vi]
            #!               ^^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
            B[vi, 2] = A[vi, 0:2] + A[vi, 2:4]
            #!                      ^^^^^^^^^^ error[RLX0612]: this part of buffer `A` is no value
            B[vi, 3] = A
            #!         ^ error[RLX0604]: buffer `A` has 2 dimensions, and 0 indices are given


@T.prim_func
def loops(A: T.Buffer((16, 4), "float32")):
    for i, j in T.grid(16):
    #!          ^^^^^^^^^^ error[RLX0613]: loops of `T.grid`: 1, names for them: 2
        A[i, j] = T.float32(0)
    for i, j in T.serial(16):
    #!          ^^^^^^^^^^^^ error[RLX0613]: loops of `T.serial`: 1, names for them: 2
        A[i, j] = T.float32(0)
    for i, j, k in T.grid(*A.shape):
    #!  ^^^^^^^ error[RLX0614]: 3 names for 2 loops
        A[i, j] = T.float32(0)
    for ij in T.grid(*A.shape):
        A[ij[0], ij[1]] = T.float32(0)
        A[ij, 0] = T.float32(0)
#!        ^^ error[RLX0613]: loops of `T.grid`: 2, names for them: 1
