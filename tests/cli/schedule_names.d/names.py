from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def view(A: T.Buffer((8, 4), "int32"), D: T.Buffer((8, 4), "int32")):
    for i in range(8):
        with T.sblock("o"):
            v = T.axis.spatial(8, i)
            T.reads(A[v, 0:4], D[v, 0:4])
            T.writes(D[v, 0:4])
            W = T.match_buffer(D[v, 0:4], (4,), "int32", offset_factor=1)
            for j in range(4):
                with T.sblock("a"):
                    w = T.axis.spatial(4, j)
                    T.reads(A[v, w])
                    T.writes(W[w])
                    W[w] = A[v, w] * 2
            for j in range(4):
                with T.sblock("b"):
                    w = T.axis.spatial(4, j)
                    T.reads(D[v, 3 - w])
                    T.writes(D[v, w])
                    D[v, w] = D[v, 3 - w] + w


@T.prim_func(s_tir=True)
def flat(A: T.Buffer((8, 4), "int32"), D: T.Buffer((8, 4), "int32")):
    X = T.decl_buffer((32,), "int32", data=D.data)
    for i, j in T.grid(8, 4):
        with T.sblock("a"):
            v, w = T.axis.remap("SS", [i, j])
            X[v * 4 + w] = A[v, w] * 2
    for i, j in T.grid(8, 4):
        with T.sblock("b"):
            v, w = T.axis.remap("SS", [i, j])
            D[v, w] = D[v, 3 - w] + w


@T.prim_func(s_tir=True)
def update(A: T.Buffer((10,), "int32"), D: T.Buffer((10,), "int32")):
    for i in range(8):
        with T.sblock("o"):
            v = T.axis.opaque(8, i)
            T.reads(A[v:v + 3], D[v:v + 3])
            T.writes(D[v:v + 3])
            W = T.match_buffer(D[v:v + 3], (3,), "int32", offset_factor=1)
            for j in range(3):
                with T.sblock("a"):
                    w = T.axis.spatial(3, j)
                    T.reads(A[v + w], W[w])
                    T.writes(W[w])
                    W[w] = W[w] * 2 + A[v + w]


@T.prim_func(s_tir=True)
def shorter(a: T.handle, d: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    D = T.match_buffer(d, (n,), "int32")
    for i in range(n - 1):
        with T.sblock("a"):
            v = T.axis.spatial(n - 1, i)
            D[v] = A[v + 1] - A[v]


@T.prim_func(s_tir=True)
def views(A: T.Buffer((8, 4), "int32"), D: T.Buffer((8, 4), "int32"), E: T.Buffer((8, 4), "int32")):
    for i in range(8):
        with T.sblock("o"):
            v = T.axis.spatial(8, i)
            T.reads(A[v, 0:4], D[v, 0:4])
            T.writes(D[v, 0:4], E[v, 0:4])
            W = T.match_buffer(D[v, 0:4], (4,), "int32", offset_factor=1)
            U = T.match_buffer(D[v, 0:4], (4,), "int32", offset_factor=1)
            for j in range(4):
                with T.sblock("a"):
                    w = T.axis.spatial(4, j)
                    T.reads(A[v, w])
                    T.writes(W[w])
                    W[w] = A[v, w] + 1
            for k in range(4):
                with T.sblock("b"):
                    w = T.axis.spatial(4, k)
                    T.reads(U[3 - w])
                    T.writes(E[v, w])
                    E[v, w] = U[3 - w]
            for l in range(4):
                with T.sblock("c"):
                    w = T.axis.spatial(4, l)
                    T.reads(A[v, w])
                    T.writes(U[w])
                    U[w] = A[v, w] * 5


@T.prim_func(s_tir=True)
def summed(A: T.Buffer((8, 4), "int32"), D: T.Buffer((8,), "int32")):
    X = T.decl_buffer((8,), "int32", data=D.data)
    for i, k in T.grid(8, 4):
        with T.sblock("s"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                D[vi] = 0
            D[vi] = D[vi] + (A[vi, vk] + X[vi])
