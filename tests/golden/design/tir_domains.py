# What loops, domains, declared regions and updates of a block promise, and break.
# rlx-golden: check
from tvm.script import tir as T


@T.prim_func
def relaxed(A: T.Buffer((64,), "float32"), C: T.Buffer((8, 8), "float32")):
    B = T.alloc_buffer((64,), "float32")
    for i in range(8):
        for j in range(8):
            with T.block("B"):
                v = T.axis.spatial(64, j * 8 + i)
                B[v] = A[v]
        for j in range(8):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vj]
                #!          ^^^^^ warning[RLX0621]: B[7] is read at (i, j#2 (line 14)) = (0, 7), and nothing has written it before


@T.prim_func
def half_of_a_sum(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16,), "float32")):
    for i, j in T.grid(16, 4):
        with T.block("B"):
#!      ^^^^^^^^^^^^^^^^^^ warning[RLX0625]: the loops do not reach the whole domain of block "B": instance (vi, vj) = (0, 4) never runs
            vi = T.axis.spatial(16, i)
            vj = T.axis.reduce(8, j)
            with T.init():
                B[vi] = 0.0
            B[vi] = B[vi] + A[vi, vj]


@T.prim_func
def half_and_half(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16,), "float32")):
    for i, j in T.grid(16, 4):
        with T.block("low"):
#!      ^^^^^^^^^^^^^^^^^^^^ information[RLX0624]: the binding of block "low" is not one to one: instance (vi, vj) = (0, 4) never runs
            vi = T.axis.spatial(16, i)
            vj = T.axis.reduce(8, j)
            with T.init():
                B[vi] = 0.0
            B[vi] = B[vi] + A[vi, vj]
    for i, j in T.grid(16, 4):
        with T.block("high"):
#!      ^^^^^^^^^^^^^^^^^^^^^ information[RLX0624]: the binding of block "high" is not one to one: instance (vi, vj) = (0, 0) never runs
            vi = T.axis.spatial(16, i)
            vj = T.axis.reduce(8, j + 4)
            B[vi] = B[vi] + A[vi, vj]


@T.prim_func
def overrun(A: T.Buffer((30,), "float32"), B: T.Buffer((30,), "float32")):
    for i, j in T.grid(4, 8):
        with T.block("B"):
#!      ^^^^^^^^^^^^^^^^^^ warning[RLX0625]: the loops leave the domain of the block variables of block "B": instance v = 30 runs at (i, j) = (3, 6), outside of its domain
            v = T.axis.spatial(30, i * 8 + j)
            B[v] = A[v]


@T.prim_func
def guarded(A: T.Buffer((30,), "float32"), B: T.Buffer((30,), "float32")):
    for i, j in T.grid(4, 8):
        with T.block("B"):
            v = T.axis.spatial(30, i * 8 + j)
            T.where(i * 8 + j < 30)
            B[v] = A[v]


@T.prim_func
def order(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i, j in T.grid(16, 8):
        with T.block("polynomial"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                B[vi] = 0.0
            B[vi] = A[vi, vj] + T.float32(3) * B[vi]
#!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0626]: the updates of block "polynomial" depend on their order: from B = 1 with A[0, 0] = 3, A[0, 1] = 1, two updates give 19 in the order of vj and 15 in the other
    for i, j in T.grid(16, 8):
        with T.block("difference"):  # every update takes something away: any order will do
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                C[vi] = 0.0
            C[vi] = C[vi] - A[vi, vj]


@T.prim_func
def two_at_a_time(A: T.Buffer((16, 8), "int32"), S: T.Buffer((16,), "int32"), Q: T.Buffer((16,), "int32"),
                  M: T.Buffer((16,), "int32"), P: T.Buffer((16,), "int32")):
    for i, j in T.grid(16, 8):
        with T.block("running"):  # Q sums up the partial sums
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                S[vi] = 0
                Q[vi] = 0
            S[vi] = S[vi] + A[vi, vj]
#!          ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0626]: the updates of block "running" depend on their order: from S = 1, Q = 1 with A[0, 0] = 88, A[0, 1] = 86, two updates give Q = 265 in the order of vj and 263 in the other
            Q[vi] = Q[vi] + S[vi]
    for i, j in T.grid(16, 8):
        with T.block("place"):  # an argmax: of equal values it may keep either
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                M[vi] = -1
                P[vi] = 0
            if A[vi, vj] > M[vi]:
                M[vi] = A[vi, vj]
                P[vi] = vj


@T.prim_func
def last_one_wins(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16,), "float32")):
    for i, j in T.grid(16, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                B[vi] = 0.0
            B[vi] = T.Select(A[vi, vj] > T.float32(2), A[vi, vj], B[vi])
#!          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0626]: the updates of block "B" depend on their order: from B = 2 with A[0, 0] = 4, A[0, 1] = 3, two updates give 3 in the order of vj and 4 in the other


@T.prim_func
def declared(A: T.Buffer((16, 4), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(13):
        with T.block("far"):
            vi = T.axis.spatial(13, i)
            T.reads(A[vi:vi + 2, 0])
            #!      ^^^^^^^^^^^^^^^ warning[RLX0609]: block "far": it reads A[vi:vi + 4, 0], and T.reads says A[vi:vi + 2, 0]: not enough at vi = 2
            #!     fix: declare what it reads
            T.writes(B[vi])
            B[vi] = A[vi, 0] + A[vi + 3, 0]
    for i in range(13):
        with T.block("near"):
            vi = T.axis.spatial(13, i)
            T.reads(A[vi:vi + 4, 0:2])
            T.writes(B[vi])
            B[vi] = A[vi, 0] + A[vi + 3, 1]
