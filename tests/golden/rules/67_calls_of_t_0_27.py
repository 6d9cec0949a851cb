# From 0.26 on a call of an operator of TensorIR is one of Relax: it is pure, or no pure function has it.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def reads_a_register(x: R.Tensor((2, 3), "float32")) -> R.Any:
    return R.zeros((T.call_intrin("int64", "tirx.tvm_context_id"), 3), "float32")
    #!              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0432]: T.call_intrin is impure (an operator of TensorIR does more than to give a value), and the function is declared pure
    #!     line 6: declared pure here
    #!     fix: declare the function impure
    #! gv: R.Tensor((..., 3), dtype="float32")


@R.function
def gives_a_value(x: R.Tensor((2, 3), "float32")) -> R.Any:
    n = T.call_pure_extern("int64", "f")
    #! n: R.Prim("int64")
    return x


@R.function
def waits(x: R.Tensor((2, 3), "float32")) -> R.Any:
    a = T.cuda.cta_sync()
    #!  ^^^^^^^^^^^^^^^^^ error[RLX0432]: T.cuda.cta_sync is impure (an operator of TensorIR does more than to give a value), and the function is declared pure
    #!     line 17: declared pure here
    #!     fix: declare the function impure
    #! a: R.Prim("void")
    return x


@R.function(pure=False)
def waits_as_it_says(x: R.Tensor((2, 3), "float32")) -> R.Any:
    a = T.cuda.cta_sync()
    #! a: R.Prim("void")
    return x


@R.function
def declared(x: R.Tensor(("n", "m"), "float32")) -> R.Any:
    n, m = T.int64(), (T.int64(), 1)[0]
    #!                 ^^^^^^^^^ error[RLX0208]: symbolic variable `m` has no value: no parameter and no match_cast above has it as a dimension by itself
    k = T.int64(T.int64())
    #!          ^^^^^^^^^ error[RLX0208]: symbolic variable `k` has no value: no parameter and no match_cast above has it as a dimension by itself
    j = T.int64()
    return R.zeros((n, m), "float32")
    #! gv: R.Tensor((n, m), dtype="float32")


@R.function
def compared(x: R.Tensor((2, 3), "float32")) -> R.Any:
    a = R.zeros((3 - (x in [1, 2]), 3 - x.same_as(x)), "float32")
    #! a: R.Tensor((3, 2), dtype="float32")
    return x.equal(1)
    #!       ^^^^^ error[RLX0428]: `.equal` of a tensor can't be called
