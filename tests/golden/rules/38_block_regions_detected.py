# Blocks without T.reads and T.writes: what TVM's parser cannot detect.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def scalars(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8, 4), "float32")):
    for i, j in T.grid(8, 4):
        with T.sblock("bare"):
#!      ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0615]: block "bare" needs T.reads and T.writes: buffer `twice` is declared in the block itself
            vi, vj = T.axis.remap("SS", [i, j])
            twice = A[vi, vj] * T.float32(2)
            B[vi, vj] = twice
    for i, j in T.grid(8, 4):
        with T.sblock("reads_only"):
#!      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0615]: block "reads_only" needs T.reads and T.writes: buffer `twice` is declared in the block itself
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            twice: T.float32 = A[vi, vj] * T.float32(2)
            B[vi, vj] = twice
    for i, j in T.grid(8, 4):
        with T.sblock("writes_only"):
#!      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0615]: block "writes_only" needs T.reads and T.writes: buffer `C` is declared in the block itself
            vi, vj = T.axis.remap("SS", [i, j])
            T.writes(B[vi, vj])
            C = T.alloc_buffer((4,), "float32")
            C[0] = A[vi, vj]
            B[vi, vj] = C[0]
    for i, j in T.grid(8, 4):
        with T.sblock("declared"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            twice = A[vi, vj] * T.float32(2)
            B[vi, vj] = twice
    for i, j in T.grid(8, 4):
        with T.sblock("names"):
            vi, vj = T.axis.remap("SS", [i, j])
            half: T.let[T.float32] = A[vi, vj] * T.float32(0.5)
            C = T.sblock_alloc_buffer((4,), "float32")
            C[vj] = half
            B[vi, vj] = C[vj]
    for i in range(8):
        outside = A[i, 0]
        with T.sblock("outside"):
            vi = T.axis.spatial(8, i)
            B[vi, 0] = outside


@T.prim_func(s_tir=True)
def pointers(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("extern"):
#!      ^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0615]: block "extern" needs T.reads and T.writes: buffer `A` is reached by its pointer
            vi = T.axis.spatial(8, i)
            T.writes(B[vi])
            T.evaluate(T.call_extern("int32", "f", A.data, vi))
    for i in range(8):
        with T.sblock("declared"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi])
            T.writes(B[vi])
            T.evaluate(T.call_extern("int32", "f", A.data, vi))
    for i in range(8):
        with T.sblock("accessed"):
            vi = T.axis.spatial(8, i)
            T.evaluate(T.call_extern("int32", "f", A.access_ptr("r"), T.address_of(B[vi])))
    for i in range(8):
        with T.sblock("own"):
            vi = T.axis.spatial(8, i)
            C = T.sblock_alloc_buffer((4,), "float32")
            T.evaluate(T.call_extern("int32", "f", C.data, vi))


@T.prim_func(s_tir=True)
def root(A: T.Buffer((8,), "float32")):
    with T.sblock("root"):
        x = A[0] + T.float32(1)
        A[0] = x
