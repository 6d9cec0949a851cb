# What TVM's verifier refuses is an error, also with `check_well_formed=False`: it can only fail.
import tvm
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module(check_well_formed=False)
class Unverified:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        cls = Unverified
        y = R.call_tir(cls.scale, x, R.Tensor((8,), "float32"))
        #!                        ^ error[RLX0440]: input 0 of `scale` is R.Tensor((2, 3), dtype="float32"), expected R.Tensor((8,), dtype="float32"): the number of dimensions is 2, expected 1
        #!     line 16: this parameter of the PrimFunc
        #! y: R.Tensor((8,), dtype="float32")
        z: R.Tensor((3, 2), "float32") = R.add(x, x)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((3, 2), dtype="float32"), but the value is R.Tensor((2, 3), dtype="float32"): dimension 0 is 2, expected 3
        #!     line 12: the value is the result of R.add
        #!     line 9: `x` is R.Tensor((2, 3), dtype="float32")
        #!     fix: annotate what is deduced
        #! z: R.Tensor((3, 2), dtype="float32")   (deduced R.Tensor((2, 3), dtype="float32"))
        return (y, z)

    @T.prim_func(private=True, s_tir=True)
    def scale(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            B[i] = A[i] * T.float32(2)


@R.function(check_well_formed=False)
def unverified(x: R.Tensor((2, 3), "float32")):
    gv = R.print(x, format="{}")
    #!     ^^^^^ error[RLX0432]: `R.print` is impure (it prints), and the function is declared pure
    #!     line 22: declared pure here
    #!     fix: declare the function impure
    #! gv: R.Tuple
    return gv


@R.function
def verified(x: R.Tensor((2, 3), "float32")):
    gv = R.print(x, format="{}")
    #!     ^^^^^ error[RLX0432]: `R.print` is impure (it prints), and the function is declared pure
    #!     line 28: declared pure here
    #!     fix: declare the function impure
    #! gv: R.Tuple
    return gv


@R.function
def device(x: R.Tensor((2, 3), "float32")):
    there = tvm.ir.VDevice("llvm", 0, "global")
    #! there: R.Object
    y = R.to_vdevice(x, there)
    #! y: R.Tensor((2, 3), dtype="float32")
    return y
