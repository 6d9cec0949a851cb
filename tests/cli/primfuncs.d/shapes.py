from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def empty(A: T.Buffer(b"", "float32"), B: T.Buffer("", "float32"), C: T.Buffer({}, "float32")):
    D = T.alloc_buffer({}, "float32")
    A[()] = B[()] + C[()] + D[()]


@T.prim_func(s_tir=True)
def no_dimension(A: T.Buffer({}, "float32")):
    A[0] = T.float32(1)


@T.prim_func(s_tir=True)
def one_dimension(A: T.Buffer({3: "x"}, "float32")):
    A[0] = A[1, 0]


@T.prim_func(s_tir=True)
def no_place(A: T.Buffer("", "float32")):
    A[1] = T.float32(1)


@T.prim_func(s_tir=True)
def letters(A: T.Buffer("34", "float32")):
    T.evaluate(0)
