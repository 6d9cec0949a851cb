# The type of a handle stands for a dtype in calls only; what T.meta_var keeps has as many names as items.
# rlx-golden: check
from tvm.script import relax as R, tirx as T


@T.prim_func(s_tir=True)
def main(a: T.handle, n: T.int64) -> T.Ptr[T.float32]:
    T.evaluate(T.call_extern(a.ty, "f", n))
    T.evaluate(T.cast(n, a.ty))
    #!                   ^^^^ error[RLX0614]: an object of Python, expected a dtype as a string
    x = T.alloc_buffer((4,), a.ty)
    #!                       ^^^^ error[RLX0614]: an object of Python, expected a dtype as a string
    i, j = T.meta_var((n, n, n))
#!  ^^^^ error[RLX0614]: 2 names for 3 values
    i, j = T.meta_var(3)
#!  ^^^^ error[RLX0614]: 2 names for an int
    T.evaluate(0)


@R.function
def other(x: R.Any) -> R.Any:
    return x
