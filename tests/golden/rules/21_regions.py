# rlx-golden: check
# Declared regions of blocks: too small for what the body surely accesses is a warning, with the regions as fix.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def wrong(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.sblock("another element"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0])
            #!      ^^^^^^^^ warning[RLX0609]: block "another element": it reads A[vi, 1], and T.reads says A[vi, 0]: not enough at vi = 2
            #!     fix: declare what it reads
            T.writes(C[vi])
            C[vi] = A[vi, 1]
        with T.sblock("a part"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:8])
            #!      ^^^^^^^^^^ warning[RLX0609]: block "a part": it reads A[vi, 0:16], and T.reads says A[vi, 0:8]: not enough at vi = 2
            #!     fix: declare what it reads
            T.writes(C[vi])
            for k in range(16):
                C[vi] = A[vi, k]
        with T.sblock("left out"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0])
            T.writes(B[vi])
            #!       ^^^^^ warning[RLX0609]: block "left out": it writes C[vi], which T.writes leaves out
            #!     fix: declare what it writes
            B[vi] = A[vi, 0]
            C[vi] = T.float32(0)
        with T.sblock("its own sum"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0])
            #!      ^^^^^^^^ warning[RLX0609]: block "its own sum": it reads B[vi], which T.reads leaves out
            #!     fix: declare what it reads
            T.writes(B[vi])
            B[vi] = B[vi] + A[vi, 0]
        with T.sblock("below the domain"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:vi])
            #!      ^^^^^^^^^^^ warning[RLX0609]: block "below the domain": it reads A[vi, vi], and T.reads says A[vi, 0:vi]: not enough at vi = 2
            #!     fix: declare what it reads
            T.writes(B[vi])
            B[vi] = A[vi, vi]


@T.prim_func(s_tir=True)
def right(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), I: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        with T.sblock("more than accessed"):
            vi = T.axis.spatial(16, i)
            T.reads(A[0:16, 0:16])
            T.writes(B[0:16])
            B[vi] = A[vi, 1]
        with T.sblock("data-dependent"):
            vi = T.axis.spatial(16, i)
            T.reads(I[vi], A[0, 0])
            T.writes(B[vi])
            B[vi] = A[I[vi], 0]
        with T.sblock("perhaps"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0])
            T.writes(B[vi])
            B[vi] = T.if_then_else(n < 0, A[vi, 3], A[vi, 0])
        with T.sblock("with init"):
            vi = T.axis.reduce(16, i)
            T.reads(A[vi, 0])
            T.writes(B[0])
            with T.init():
                B[0] = T.float32(0)
            B[0] = B[0] + A[vi, 0]
        with T.sblock("own memory"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:2])
            T.writes(B[vi])
            L = T.sblock_alloc_buffer((2,))
            for k in range(2):
                L[k] = A[vi, k]
            B[vi] = L[0] + L[1]
        with T.sblock("inside"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:16])
            T.writes(B[vi])
            for k in range(16):
                with T.sblock("sum"):
                    vk = T.axis.reduce(16, k)
                    T.reads(A[vi, vk])
                    T.writes(B[vi])
                    with T.init():
                        B[vi] = T.float32(0)
                    B[vi] = B[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def larger_regions(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(2):
        with T.sblock("relied on"):
            vi = T.axis.spatial(2, i)
            T.reads(A[vi * 8:vi * 8 + 8])
            T.writes(B[0:16])
            #!       ^^^^^^^ warning[RLX0610]: block "relied on": T.writes declares more than the block writes: B[i * 8:i * 8 + 8] at a time, and "reads the first half twice" reads B[0:8] meanwhile: not written at i = 1
            #!     fix: declare what it writes
            for k in range(8):
                B[vi * 8 + k] = A[vi * 8 + k]
        with T.sblock("reads the first half twice"):
            vi = T.axis.spatial(2, i)
            for k in range(8):
                C[vi * 8 + k] = B[k]


@T.prim_func(s_tir=True)
def harmless(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(2):
        with T.sblock("larger"):
            vi = T.axis.spatial(2, i)
            T.reads(A[0:16])
            T.writes(B[0:16])
            for k in range(8):
                B[vi * 8 + k] = A[vi * 8 + k]
        with T.sblock("reads what is there"):
            vi = T.axis.spatial(2, i)
            for k in range(8):
                C[vi * 8 + k] = B[vi * 8 + k]
