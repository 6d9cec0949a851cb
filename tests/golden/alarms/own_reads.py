# rlx-golden: check
# T.reads of a block may leave out what blocks inside it wrote before: nothing of it comes from outside.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def decomposed(A: T.Buffer((8, 16, 4), "float32"), B: T.Buffer((8, 16), "float32")):
    for i in range(8):
        with T.sblock("row"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:16, 0:4])
            T.writes(B[vi, 0:16])
            for j in range(16):
                with T.sblock("first"):
                    vj = T.axis.spatial(16, j)
                    T.writes(B[vi, vj])
                    B[vi, vj] = T.float32(0)
                for k in range(4):
                    with T.sblock("update"):
                        vj, vk = T.axis.remap("SR", [j, k])
                        T.reads(B[vi, vj], A[vi, vj, vk])
                        T.writes(B[vi, vj])
                        B[vi, vj] = B[vi, vj] + A[vi, vj, vk]


@T.prim_func(s_tir=True)
def all_before(A: T.Buffer((8, 16), "float32"), B: T.Buffer((8, 16), "float32"), C: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("row"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:16])
            T.writes(B[vi, 0:16], C[vi])
            for j in range(16):
                with T.sblock("copy"):
                    vj = T.axis.spatial(16, j)
                    B[vi, vj] = A[vi, vj]
            with T.sblock("ends"):
                C[vi] = B[vi, 0] + B[vi, 15]


@T.prim_func(s_tir=True)
def after(A: T.Buffer((8, 16), "float32"), B: T.Buffer((8, 16), "float32"), C: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("row"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:16])
            #!      ^^^^^^^^^^^ warning[RLX0609]: block "row": it reads B[vi, 0:16], which T.reads leaves out
            #!     fix: declare what it reads
            T.writes(B[vi, 0:16], C[vi])
            with T.sblock("ends"):
                C[vi] = B[vi, 0] + B[vi, 15]
            for j in range(16):
                with T.sblock("copy"):
                    vj = T.axis.spatial(16, j)
                    B[vi, vj] = A[vi, vj]


@T.prim_func(s_tir=True)
def not_all(A: T.Buffer((8, 16), "float32"), B: T.Buffer((8, 16), "float32"), C: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("row"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:16])
            #!      ^^^^^^^^^^^ warning[RLX0609]: block "row": it reads B[vi, 0:16], which T.reads leaves out
            #!     fix: declare what it reads
            T.writes(B[vi, 0:15], C[vi])
            for j in range(15):
                with T.sblock("copy"):
                    vj = T.axis.spatial(15, j)
                    B[vi, vj] = A[vi, vj]
            with T.sblock("ends"):
                C[vi] = B[vi, 0] + B[vi, 15]


@T.prim_func(s_tir=True)
def perhaps(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32"), n: T.int32):
    for i in range(8):
        with T.sblock("row"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi])
            #!      ^^^^^ warning[RLX0609]: block "row": it reads B[vi], which T.reads leaves out
            #!     fix: declare what it reads
            T.writes(B[vi], C[vi])
            if n > 4:
                with T.sblock("copy"):
                    B[vi] = A[vi]
            with T.sblock("use"):
                C[vi] = B[vi]


@T.prim_func(s_tir=True)
def directly(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("row"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi])
            #!      ^^^^^ warning[RLX0609]: block "row": it reads B[vi], which T.reads leaves out
            #!     fix: declare what it reads
            T.writes(B[vi], C[vi])
            C[vi] = B[vi]
            with T.sblock("copy"):
                B[vi] = A[vi]
