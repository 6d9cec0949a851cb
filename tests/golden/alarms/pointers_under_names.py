# A pointer under a name says what it points at, in brackets as in parentheses.
from tvm.script import tirx as T


@T.prim_func(private=True, s_tir=True)
def main(A_data: T.handle("float32")):
    A = T.decl_buffer((32,), "float32", data=A_data)
    p: T.let[T.Ptr[T.float32]] = T.address_of(A[16])
    q: T.let[T.Ptr(T.float32)] = T.address_of(A[8])
    r: T.let[T.handle("float32")] = T.address_of(A[0])
    P = T.decl_buffer((16,), "float32", data=p)
    Q = T.decl_buffer((16,), "float32", data=q)
    R = T.decl_buffer((16,), "float32", data=r)
    for i in range(16):
        P[i] = Q[i] * R[i]
