# rlx-golden: check
# What symbolic expressions and Python's objects have behind a dot; calls of T that leave nothing for a statement, numbers that are none.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Members:
    @R.function
    def other(x: R.Tensor((4,), "float32")):
        return x

    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        a = n.ty
        b = n.dtype
        c = (n * 2).name
        #!          ^^^^ error[RLX0203]: `n * 2.name` does not exist
        d = T.int64(4).value
        e = T.int8().output
        #!           ^^^^^^ error[RLX0203]: `a symbolic variable.output` does not exist
        f = slice(1, 2).steps
        #!              ^^^^^ error[RLX0203]: `a slice.steps` does not exist
        g = b"float16".decode
        h = {1, 2}.items
        #!         ^^^^^ error[RLX0203]: `a set.items` does not exist
        i = R.call_packed(Members.other.name_hint, x, sinfo_args=R.Object)
        j = Members.other.script
        #!                ^^^^^^ error[RLX0203]: `R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True).script` does not exist
        k = R.prim_value(T.int32("inf"))
        #!                       ^^^^^ error[RLX0446]: T.int32: `expr` is the string "inf", expected a number or a symbolic expression
        l = R.prim_value(T.float32("inf"))
        m = T.lane_id()
        #!  ^^^^^^^^^^^ error[RLX0429]: `T.lane_id(…)`, which stands in PrimFuncs, can't be used in a Relax function
        T.continue_loop()
#!      ^^^^^^^^^^^^^^^^^ error[RLX0441]: the value, a value of TensorIR, must be bound to a variable
        T.tvm_storage_sync("shared")
#!      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0441]: the value, a value of TensorIR, must be bound to a variable
        return x


@R.function
def forced(x: R.Tensor((4,), "float32")):
    R.func_attr({"relax.force_pure": T.bool(True)})
    #!                               ^^^^^^^^^^^^ error[RLX0446]: R.func_attr: `relax.force_pure` is the symbolic integer `True`, expected True or False
    R.print(x, format="{}")
#!    ^^^^^ error[RLX0432]: `R.print` is impure (it prints), and the function is declared pure
    #!     line 34: declared pure here
    #!     fix: declare the function impure
    return x
