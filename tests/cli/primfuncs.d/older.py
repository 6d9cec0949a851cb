from tvm.script import tir as T


@T.prim_func
def constant(B: T.Buffer((4,), "float32")):
    with T.allocate_const([1.0, 2.0, 3.5, -4.0], "float32", [4]) as c:
        C = T.buffer_decl((4,), "float32", data=c)
        for i in range(4):
            B[i] = C[i] * T.float32(2)


@T.prim_func
def table(B: T.Buffer((2, 2), "int8")):
    c = T.allocate_const([1, 2, 3, 4], "int8", [2, 2])
    C = T.Buffer((2, 2), "int8", data=c)
    for i, j in T.grid(2, 2):
        B[i, j] = C[j, i]
