# From 0.26 on a handle says its type, which calls and T.reinterpret take as a dtype.
from tvm.script import ir as I, relax as R, tirx as T


@T.prim_func(s_tir=True)
def main(a: T.handle, b: T.handle("float32"), n: T.int64) -> T.handle().ty:
    p: T.let[T.handle("int64")] = T.reinterpret(T.handle("int64").ty, n)
    T.evaluate(T.tvm_struct_get(p, 0, 4, dtype=T.handle("int64").ty))
    T.evaluate(T.tvm_struct_get(a, 0, 4, a.ty))
    T.evaluate(T.call_extern(b.ty, "f", n))
    T.evaluate(T.tvm_struct_set(a, 0, 15, T.reinterpret(T.handle().ty, "payload")))


@R.function
def other(x: R.Any) -> R.Any:
    return x


@T.prim_func(s_tir=True)
def called(A: T.Buffer((4,), "float32"), h: T.handle("float32")) -> print:
    A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def not_called(A: T.Buffer((4,), "float32")) -> len:
#!                                              ^^^ error[RLX0614]: a function, expected a type, as T.int32
    A[0] = T.float32(1)
