# The package tvm.tirx has classes; the functions of the script are in its namespace, under whatever name.
import tvm
from tvm import tirx
from tvm import tirx as tt
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def casts(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = tirx.cast(A[i], "int32")
        #!     ^^^^^^^^^ error[RLX0203]: `tirx.cast` does not exist; the script's namespace has it: `T.cast`
        #!     fix: change to `T.cast`
        B[i] = tt.cast(A[i], "int32")
        #!     ^^^^^^^ error[RLX0203]: `tirx.cast` does not exist; the script's namespace has it: `T.cast`
        #!     fix: change to `T.cast`
        B[i] = tvm.tirx.cast(A[i], "int32")
        #!     ^^^^^^^^^^^^^ error[RLX0203]: `tirx.cast` does not exist; the script's namespace has it: `T.cast`
        #!     fix: change to `T.cast`
        B[i] = tirx.int32(3)
        #!     ^^^^^^^^^^ error[RLX0203]: `tirx.int32` does not exist; the script's namespace has it: `T.int32`
        #!     fix: change to `T.int32`
        B[i] = tirx.Cast("int32", A[i])
        B[i] = T.cast(tirx.exp(A[i]), "int32")


# A part of a buffer keeps its length under a name.
@T.prim_func(s_tir=True)
def parts(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 1), "float32")):
    x = A[0]
    B[0, 0] = x
    #!        ^ error[RLX0614]: a part of a buffer, expected one element


@T.prim_func(s_tir=True)
def slices(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    y = A[0, 1:3]
    z = y
    B[0, 0] = z
    #!        ^ error[RLX0614]: a part of a buffer, expected one element


@T.prim_func(s_tir=True)
def one(A: T.Buffer((4, 1), "float32"), B: T.Buffer((4, 4), "float32")):
    z = A[0]
    B[0, 0:4] = z
