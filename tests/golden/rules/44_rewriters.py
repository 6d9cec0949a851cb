# A rewriter has two Relax functions of one signature; what it adds is private.
from tvm.script import relax as R, tirx as T


@R.rewriter
class Subroutine:
    @R.function
    def pattern(A: R.Tensor([16], "float32")):
        return A + A
        #! gv: R.Tensor((16,), dtype="float32")

    @R.function
    def replacement(A: R.Tensor([16], "float32")):
        return Subroutine.twice(A)
        #! gv: R.Tensor((16,), dtype="float32")

    @R.function
    def twice(A: R.Tensor([16], "float32")) -> R.Tensor([16], "float32"):
    #!  ^^^^^ error[RLX0454]: a rewriter adds private functions only: `private=True` makes it one
        return A * R.const(2.0, "float32")
        #! gv: R.Tensor((16,), dtype="float32")


@R.rewriter
class Private:
    @R.function
    def pattern(A: R.Tensor([16], "float32")):
        return A + A
        #! gv: R.Tensor((16,), dtype="float32")

    @R.function
    def replacement(B: R.Tensor([16], "float32")):
        return Private.twice(B)
        #! gv: R.Tensor((16,), dtype="float32")

    @R.function(private=True)
    def twice(A: R.Tensor([16], "float32")) -> R.Tensor([16], "float32"):
        return A * R.const(2.0, "float32")
        #! gv: R.Tensor((16,), dtype="float32")


@R.rewriter
class Kinds:
    @T.prim_func(s_tir=True)
    def pattern():
    #!  ^^^^^^^ error[RLX0454]: `pattern` of a rewriter is a Relax function
        pass

    @R.function
    def replacement():
        return R.tuple()


@R.rewriter
class Shapes:
    @R.function
    def pattern(A: R.Tensor([32], "float32"), B: R.Tensor([16])):
        return A

    @R.function
    def replacement(A: R.Tensor([32], "float32"), B: R.Tensor([16], "float32")):
    #!                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0454]: this parameter of `pattern` is R.Tensor((16,)): they have to agree
        return A


@R.rewriter
class Names:
    @R.function
    def pattern(A: R.Tensor(["n", "m"], "float32")):
        return A

    @R.function
    def replacement(B: R.Tensor(["m", "n"], "float32")):
        return B


@R.rewriter
class Counts:
    @R.function
    def pattern(A: R.Tensor([16]), B: R.Tensor([16])):
        return A

    @R.function
    def replacement(A: R.Tensor([16])):
    #!  ^^^^^^^^^^^ error[RLX0454]: `replacement` has 1 parameter, `pattern` 2: they have to agree
        return A


@R.rewriter
class Results:
    @R.function
    def pattern(A: R.Tensor([16], "float32")):
        return A

    @R.function(pure=False)
    def replacement(A: R.Tensor([16], "float32")):
    #!  ^^^^^^^^^^^ error[RLX0454]: `replacement` gives another type than `pattern`: they have to agree
    #!  ^^^^^^^^^^^ error[RLX0454]: one of `pattern` and `replacement` is pure, the other is not: they have to agree
        return R.sum(A)
        #! gv: R.Tensor((), dtype="float32")
