from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def odd(A: T.Buffer((4, 16), "int32"), P: T.Buffer((4,), "int32"), V: T.Buffer((4,), "int32")):
    for i, j in T.grid(4, 16):
        with T.sblock("best"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                P[vi] = -1
                V[vi] = -2147483648
            p: T.let[T.int32] = T.Select(V[vi] >= A[vi, vj] and vj % 3 == 0, P[vi], vj)
            v: T.let[T.int32] = T.Select(V[vi] >= A[vi, vj] and vj % 3 == 0, V[vi], A[vi, vj])
            P[vi] = p
            V[vi] = v


@T.prim_func(s_tir=True)
def other(A: T.Buffer((4, 16), "int32"), P: T.Buffer((4,), "int32"), V: T.Buffer((4,), "int32")):
    for i, j in T.grid(4, 16):
        with T.sblock("best"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                P[vi] = -1
                V[vi] = -2147483648
            p: T.let[T.int32] = T.Select(V[vi] >= A[vi, vj] or vj > 8, P[vi], vj)
            v: T.let[T.int32] = T.Select(V[vi] >= A[vi, vj] or vj > 8, V[vi], A[vi, vj])
            P[vi] = p
            V[vi] = v


@T.prim_func(s_tir=True)
def differ(A: T.Buffer((4, 16), "int32"), P: T.Buffer((4,), "int32"), V: T.Buffer((4,), "int32")):
    for i, j in T.grid(4, 16):
        with T.sblock("best"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                P[vi] = -1
                V[vi] = -2147483648
            p: T.let[T.int32] = T.Select(V[vi] > A[vi, vj] or V[vi] == A[vi, vj] and P[vi] < vj, P[vi], vj)
            v: T.let[T.int32] = T.Select(V[vi] > A[vi, vj], V[vi], A[vi, vj])
            P[vi] = p
            V[vi] = v
