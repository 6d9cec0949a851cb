# What `rlx check` says of the design document's situations: a warning where something is proved wrong, information where a
# binding is not one to one; never an error, for each may be a step of a schedule.
# rlx-golden: check
from tvm.script import tir as T


@T.prim_func
def producer_updates_its_output(A: T.Buffer((16,), "float32"), B: T.Buffer((16, 16), "float32")):
    for i0 in range(16):
        for j0 in range(16):
            with T.block("A"):
#!          ^^^^^^^^^^^^^^^^^^ information[RLX0624]: the binding of block "A" is not one to one: instance vj = 0 runs at (i0, j0) = (0, 0) and again at (1, 0)
                vj = T.axis.spatial(16, j0)
                A[vj] = A[vj] + 1.0
    for i1 in range(16):
        for j1 in range(16):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i1, j1])
                B[vi, vj] = A[vj]


@T.prim_func
def types(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("rows"):
#!      ^^^^^^^^^^^^^^^^^^^^^ warning[RLX0623]: block variable vj of block "rows" is declared data_par, its accesses make it reduce
        #!     fix: declare it reduce
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi] = B[vi] + A[vi, vj]
    for i in range(15):
        with T.block("scan"):
#!      ^^^^^^^^^^^^^^^^^^^^^ warning[RLX0623]: block variable vi of block "scan" is declared data_par, its accesses make it ordered
        #!     fix: declare it ordered
            vi = T.axis.spatial(15, i)
            B[vi + 1] = B[vi] * 2.0


@T.prim_func
def reads_ahead(B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    A = T.alloc_buffer((16,))
    for i0 in range(16):
        with T.block("A"):
            vi = T.axis.spatial(16, i0)
            A[vi] = B[vi] + 1.0
        with T.block("C"):
            vi = T.axis.spatial(16, i0)
            C[vi] = A[vi + 1]
            #!      ^^^^^^^^^ warning[RLX0620]: A[16] is read at i0 = 15, outside of its shape (16,)


@T.prim_func
def relaxed_output_region(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32"), C: T.Buffer((2, 5), "float32")):
    for i in T.parallel(2):
#!  ^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0622]: iterations of the parallel loop `i` conflict: B[1] is written at (i, j#1 (line 48)) = (0, 0) and read at (i, j#2 (line 54)) = (1, 0)
        for j in range(5):
            with T.block("Block1"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vj * 2 + (1 - vi)])
                T.writes(B[0:10])
                B[vj * 2 + (1 - vi)] = A[vj * 2 + (1 - vi)]
        for j in range(5):
            with T.block("Block2"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vj + 1])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vj + 1]


@T.prim_func
def guarded(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in T.parallel(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = T.if_then_else(vi < 15, A[vi + 1], T.float32(0))
    for i in T.vectorized(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = T.Select(1 <= vi, A[vi - 1], T.float32(0))


# What is given has been written; a reduction with an init is the author's word; threads do work twice on purpose.
@T.prim_func
def over_a_pointer(A_data: T.handle("float32"), B: T.Buffer((16,), "float32")):
    A = T.decl_buffer((16,), "float32", data=A_data)
    for i in range(16):
        B[i] = A[i]


@T.prim_func
def first_of_two(A: T.Buffer((16, 4), "float32"), B: T.Buffer((16,), "float32")):
    for i, k in T.grid(16, 4):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = T.if_then_else(A[vi, vk] > B[vi] * T.float32(2), A[vi, vk], B[vi])


@T.prim_func
def shared_by_threads(A: T.Buffer((16,), "float32"), B: T.Buffer((4, 16), "float32")):
    S = T.alloc_buffer((16,), "float32", scope="shared")
    for t in T.thread_binding(4, thread="threadIdx.x"):
        for i in range(16):
            with T.block("S"):
                vi = T.axis.spatial(16, i)
                S[vi] = A[vi]
        for i in range(16):
            with T.block("B"):
                vt, vi = T.axis.remap("SS", [t, i])
                B[vt, vi] = S[vi]
                #!          ^^^^^ hint[RLX0627]: whether what is read of S was written is not decided


@T.prim_func
def half_of_the_rows(A: T.Buffer((8, 4), "float32"), C: T.Buffer((8, 4), "float32")):
    B = T.alloc_buffer((8, 4))
    for i, j in T.grid(4, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
    for i, j in T.grid(8, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj]
            #!          ^^^^^^^^^ warning[RLX0621]: B[7, 0] is read at (i#2, j#2 (line 113)) = (7, 0), and nothing has written it before


@T.prim_func
def all_of_the_rows(A: T.Buffer((8, 4), "float32"), C: T.Buffer((8, 4), "float32")):
    B = T.alloc_buffer((8, 4))
    for i, j in T.grid(8, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
    for i, j in T.grid(8, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj]


# A buffer that is too small is told once for each block and index, not for each access.
@T.prim_func
def too_small(A: T.Buffer((T.int64(2), T.int64(8), T.int64(4)), "float32"), C: T.Buffer((2, 8), "float32")):
    S = T.alloc_buffer((T.int64(2), T.int64(4)))
    for i, j, k in T.grid(2, 8, 4):
        with T.block("S"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                S[vi, vj] = T.float32(0)
#!              ^^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0620]: S[0, 4] is written at (i#1, j#1 (line 136), k) = (0, 4, 0), outside of its shape (2, 4)
            S[vi, vj] = S[vi, vj] + A[vi, vj, vk]
    for i, j in T.grid(2, 8):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = S[vi, vj] * S[vi, vj] + S[vi, T.max(vj - 5, 0)] + S[vi, vj - 5]
            #!          ^^^^^^^^^ warning[RLX0620]: S[0, 4] is read at (i#2, j#2 (line 142)) = (0, 4), outside of its shape (2, 4)
            #!                                                            ^^^^^^^^^^^^^ warning[RLX0620]: S[0, -5] is read at (i#2, j#2 (line 142)) = (0, 0), outside of its shape (2, 4)


@T.prim_func
def race_beside_a_call(A: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
#!  ^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0622]: iterations of the parallel loop `i` conflict: A[0] is written at i = 0 and again at 1
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            A[0] = T.call_extern("int32", "rand")


@T.prim_func
def without_a_name(A: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("b"):
#!      ^^^^^^^^^^^^^^^^^^ warning[RLX0623]: block variable v of block "b" is declared data_par, its accesses make it ordered
            T.axis.spatial(16, i)
            A[0] = A[1]
