# `global_symbol` is a string where TVM verifies the module's PrimFuncs; a value that T.bind gives is no scope.
# rlx-golden: check
from tvm.script import ir as I, tirx as T


@I.ir_module(s_tir=True)
class Verified:
    @T.prim_func(s_tir=True)
    def number(A: T.Buffer((4,), "float32")):
        T.func_attr({"global_symbol": 0.5})
        #!                            ^^^ error[RLX0614]: a float, expected a string
        A[0] = T.float32(1)

    @T.prim_func(private=True, s_tir=True)
    def private(A: T.Buffer((4,), "float32")):
        T.func_attr({"global_symbol": ["private"]})
        #!           ^^^^^^^^^^^^^^^ error[RLX0212]: `private` is private, so it can't have a `global_symbol`
        #!     fix: remove it
        A[0] = T.float32(1)


@I.ir_module(s_tir=True, check_well_formed=False)
class NotVerified:
    @T.prim_func(s_tir=True)
    def number(A: T.Buffer((4,), "float32")):
        T.func_attr({"global_symbol": 7})
        A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def dtype(A: T.Buffer((4,), "float32")):
    T.func_attr({"global_symbol": A.dtype})
    #!                            ^^^^^^^ error[RLX0614]: a string, expected a string


@T.prim_func(s_tir=True)
def bound(A: T.Buffer((4,), "float32")):
    T.evaluate(T.bind("text"))
    with T.bind("text"):
    #!   ^^^^^^^^^^^^^^ error[RLX0614]: an expression of handle, expected a block or scope
        A[0] = T.float32(1)
