# rlx-golden: check
# From 0.26 on a pointer under a name of T.let is exactly what its value is.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(h: T.handle, B: T.Buffer((16,), "float32")):
    A = T.match_buffer(h, (16,), "float32")
    a: T.let[T.handle("float32", "global")] = A.data
    b: T.let[T.handle("int64", "global")] = A.data
    #!                                      ^^^^^^ error[RLX0614]: a pointer to float32 under a name of one to int64
    c: T.let[T.handle("float32")] = T.tvm_struct_get(h, 0, 1, "handle")
    #!                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of handle, expected a pointer of this type
    d: T.let[T.Ptr[T.float32]] = T.call_extern("handle", "f")
    #!                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of handle, expected a pointer of this type
    e: T.let[T.handle("float32")] = A.access_ptr("r")
    #!                              ^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of handle, expected a pointer of this type
    f: T.let[T.handle("float32")] = h
    #!                              ^ error[RLX0614]: an expression of handle, expected a pointer of this type
    g: T.let[T.handle("float32")] = T.address_of(A[0])
    i: T.let[T.handle()] = A.data
    #! ^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of handle, expected the type of this pointer, as T.Ptr[…]
    j: T.let[T.handle] = T.tvm_struct_get(h, 0, 1, "handle")
    k: T.let[T.handle("int32")] = T.tvm_stack_alloca("arg_tcode", 10)
    n: T.let[T.handle("int64")] = T.tvm_struct_get(h, 0, 2, dtype=T.handle("int64").ty)
    l: T.let[T.handle("int32")] = a
    #!                            ^ error[RLX0614]: a pointer to float32 under a name of one to int32
    m: T.let[T.handle("float32")] = a
    B[0] = T.cast(A[0], A[1].ty)
