# "Thoughts on Correctness Validation" (Hzfengsy, spectrometerHBH, tqchen, 2020): its definitions, situations and
# counterexamples, own text. What `rlx tir --moves` says of them.
# rlx-golden: tir
from tvm.script import tir as T


# ---- The problem: the producer has not produced its final output while its loop runs. Every instance of A runs 16 times;
# computing B under j0 keeps all dependencies and gives other values.
@T.prim_func
def producer_updates_its_output(A: T.Buffer((16,), "float32"), B: T.Buffer((16, 16), "float32")):
    for i0 in range(16):
    #! not parallelizable: A[0] is written at (i0, j0) = (0, 0) and read at (1, 0)
    #! not decomposable: block "A" is not complete: it reads A, which it writes
        for j0 in range(16):
        #! parallelizable
        #! not decomposable: block "A" is not complete: it reads A, which it writes
            with T.block("A"):
            #! not complete (3): it reads A, which it writes
            #! not reduction (1): it has no T.init
            #! incremental: sum
            #! not validatable: instance vj = 0 runs at (i0, j0) = (0, 0) and again at (1, 0)
                vj = T.axis.spatial(16, j0)
                A[vj] = A[vj] + 1.0
    for i1 in range(16):
    #! parallelizable
    #! decomposable
        for j1 in range(16):
        #! parallelizable
        #! decomposable
            with T.block("B"):
            #! complete
            #! validatable by the rule
                vi, vj = T.axis.remap("SS", [i1, j1])
                B[vi, vj] = A[vj]
                #! RAW A -> B: A
                #! compute_at A under i1: no (1): block "A" is neither complete (it reads A, which it writes) nor a reduction (it has no T.init)
                #! compute_at A under j1: no (1): block "A" is neither complete (it reads A, which it writes) nor a reduction (it has no T.init)
                #! reverse_compute_at B under i0: no (1): block "A" is neither complete (it reads A, which it writes) nor a reduction (it has no T.init)
                #! reverse_compute_at B under j0: no (1): block "A" is neither complete (it reads A, which it writes) nor a reduction (it has no T.init)


# The same producer under its own loop alone is bound one to one, but it still reads what it writes: not complete.
@T.prim_func
def producer_updates_once(A: T.Buffer((16,), "float32"), B: T.Buffer((16, 16), "float32")):
    for j0 in range(16):
    #! parallelizable
    #! not decomposable: block "A" is not complete: it reads A, which it writes
        with T.block("A"):
        #! not complete (3): it reads A, which it writes
        #! not reduction (1): it has no T.init
        #! incremental: sum
        #! validatable by the rule
            vj = T.axis.spatial(16, j0)
            A[vj] = A[vj] + 1.0
    for i1, j1 in T.grid(16, 16):
    #! i1: parallelizable
    #! i1: decomposable
    #! j1: parallelizable
    #! j1: decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi, vj = T.axis.remap("SS", [i1, j1])
            B[vi, vj] = A[vj]
            #! RAW A -> B: A
            #! compute_at A under i1: no (1): block "A" is neither complete (it reads A, which it writes) nor a reduction (it has no T.init)
            #! compute_at A under j1: no (1): block "A" is neither complete (it reads A, which it writes) nor a reduction (it has no T.init)
            #! reverse_compute_at B under j0: no (1): block "A" is neither complete (it reads A, which it writes) nor a reduction (it has no T.init)


# ---- Iteration types. The types are declared; what the body makes of them is deduced.
@T.prim_func
def types_as_declared(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32")):
    for i, j in T.grid(16, 16):
    #! i: parallelizable
    #! i: not decomposable: block "rows" is not complete: block variable vj is reduce, not data_par
    #! j: not parallelizable: B[0] is written at (i, j) = (0, 0) and read at (0, 1)
    #! j: not decomposable: block "rows" is not complete: block variable vj is reduce, not data_par
        with T.block("rows"):
        #! not complete (1): block variable vj is reduce, not data_par
        #! not reduction (1): it has no T.init
        #! incremental: sum
        #! validatable by the rule
            vi, vj = T.axis.remap("SR", [i, j])
            B[vi] = B[vi] + A[vi, vj]


@T.prim_func
def data_par_that_is_reduce(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32")):
    for i, j in T.grid(16, 16):
    #! i: parallelizable
    #! i: not decomposable: block "rows" is not complete: it reads B, which it writes
    #! j: not parallelizable: B[0] is written at (i, j) = (0, 0) and read at (0, 1)
    #! j: not decomposable: block "rows" is not complete: it reads B, which it writes
        with T.block("rows"):
        #! vj is declared data_par, the body makes it reduce
        #! not complete (3): it reads B, which it writes
        #! not reduction (1): it has no T.init
        #! incremental: sum
        #! validatable by the rule
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi] = B[vi] + A[vi, vj]


@T.prim_func
def data_par_that_is_ordered(A: T.Buffer((17,), "float32")):
    for i in range(16):
    #! not parallelizable: A[1] is written at i = 0 and read at 1
    #! not decomposable: block "scan" is not complete: it reads A, which it writes
        with T.block("scan"):
        #! vi is declared data_par, the body makes it ordered
        #! not complete (3): it reads A, which it writes
        #! not reduction (1): it has no T.init
        #! validatable by the rule
            vi = T.axis.spatial(16, i)
            A[vi + 1] = A[vi] * 2.0


@T.prim_func
def reduce_that_is_data_par(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
    #! parallelizable
    #! not decomposable: block "copy" is not complete: block variable vi is reduce, not data_par
        with T.block("copy"):
        #! vi is declared reduce, the body makes it data_par
        #! not complete (1): block variable vi is reduce, not data_par
        #! not reduction (1): it has no T.init
        #! validatable by the rule
            vi = T.axis.reduce(16, i)
            B[vi] = A[vi]


# ---- Validatable loop binding: one loop for one block variable, then split and fuse.
@T.prim_func
def bound_one_to_one(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16, 8), "float32")):
    for i, j in T.grid(16, 8):
    #! i: parallelizable
    #! i: decomposable
    #! j: parallelizable
    #! j: decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]


@T.prim_func
def split(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i0, i1 in T.grid(4, 4):
    #! i0: parallelizable
    #! i0: decomposable
    #! i1: parallelizable
    #! i1: decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, i0 * 4 + i1)
            B[vi] = A[vi]


@T.prim_func
def split_with_predicate(A: T.Buffer((15,), "float32"), B: T.Buffer((15,), "float32")):
    for i0, i1 in T.grid(4, 4):
    #! i0: parallelizable
    #! i0: decomposable
    #! i1: parallelizable
    #! i1: decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(15, i0 * 4 + i1)
            T.where(i0 * 4 + i1 < 15)
            B[vi] = A[vi]


@T.prim_func
def fuse(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16, 8), "float32")):
    for f in range(128):
    #! parallelizable
    #! decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, f // 8)
            vj = T.axis.spatial(8, f % 8)
            B[vi, vj] = A[vi, vj]


@T.prim_func
def fuse_then_split(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16, 8), "float32")):
    for f0, f1 in T.grid(4, 32):
    #! f0: parallelizable
    #! f0: decomposable
    #! f1: parallelizable
    #! f1: decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, (f0 * 32 + f1) // 8)
            vj = T.axis.spatial(8, (f0 * 32 + f1) % 8)
            B[vi, vj] = A[vi, vj]


@T.prim_func
def symbolic_split(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i0, i1 in T.grid((n + T.int64(31)) // T.int64(32), T.int64(32)):
    #! i0: parallelizable
    #! i0: decomposable
    #! i1: parallelizable
    #! i1: decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(n, i0 * T.int64(32) + i1)
            T.where(i0 * T.int64(32) + i1 < n)
            B[vi] = A[vi]


# Not by the rule, but exactly: every instance runs once.
@T.prim_func
def reversed_loop(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
    #! parallelizable
    #! decomposable
        with T.block("B"):
        #! complete
        #! validatable exactly
        #! no affine_binding: the loops do not split and fuse to its block variables
            vi = T.axis.spatial(16, 15 - i)
            B[vi] = A[vi]


@T.prim_func
def skewed(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
    #! i: parallelizable
    #! i: decomposable
    #! j: parallelizable
    #! j: decomposable
        with T.block("B"):
        #! complete
        #! validatable exactly
        #! no affine_binding: the loops do not split and fuse to its block variables
            vi = T.axis.spatial(8, i)
            vj = T.axis.spatial(8, (i + j) % 8)
            B[vi, vj] = A[vi, vj]


# Not validatable: such a binding works in the IR, but limits what schedules may do.
@T.prim_func
def diagonal(A: T.Buffer((15,), "float32"), B: T.Buffer((15,), "float32")):
    for i, j in T.grid(8, 8):
    #! i: parallelizable
    #! i: decomposable
    #! j: parallelizable
    #! j: decomposable
        with T.block("B"):
        #! complete
        #! not validatable: instance vi = 1 runs at (i, j) = (0, 1) and again at (1, 0)
            vi = T.axis.spatial(15, i + j)
            B[vi] = A[vi]


@T.prim_func
def split_without_predicate(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i0, i1 in T.grid(4, 4):
    #! i0: parallelizable
    #! i0: decomposable
    #! i1: parallelizable
    #! i1: decomposable
        with T.block("B"):
        #! complete
        #! not validatable: instance vi = 15 runs at (i0, i1) = (3, 3), outside of its domain
            vi = T.axis.spatial(15, i0 * 4 + i1)
            B[vi] = A[vi]


@T.prim_func
def an_instance_never_runs(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(15):
    #! parallelizable
    #! decomposable
        with T.block("B"):
        #! complete
        #! not validatable: instance vi = 15 never runs
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi]


# ---- Dependencies between blocks of one scope. WAR is not allowed: such a scope is no stage pipeline.
@T.prim_func
def all_dependencies(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(16):
    #! parallelizable
    #! not decomposable: block "first" is not complete: block "third" writes B too
        with T.block("first"):
        #! not complete (2): block "third" writes B too
        #! not reduction (1): it has no T.init
        #! validatable by the rule
        #! no dominant: block "third" writes B too
        #! no dominant_covering: block "third" writes B too
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi]
    for i in range(16):
    #! parallelizable
    #! decomposable
        with T.block("second"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi]
    for i in range(16):
    #! parallelizable
    #! not decomposable: block "third" is not complete: block "first" writes B too
        with T.block("third"):
        #! not complete (2): block "first" writes B too
        #! not reduction (1): it has no T.init
        #! validatable by the rule
        #! no dominant: block "first" writes B too
        #! no dominant_covering: block "first" writes B too
            vi = T.axis.spatial(16, i)
            B[vi] = 0.0
            #! RAW first -> second: B
            #! WAW first -> third: B
            #! WAR second -> third: B
            #! compute_at first under i: no (1): block "first" is neither complete (block "third" writes B too) nor a reduction (it has no T.init)
            #! reverse_compute_at second under i: no (1): block "first" is neither complete (block "third" writes B too) nor a reduction (it has no T.init)
            #! no stage pipeline: block "third" writes B, which "second" read before


# ---- Complete block, each condition: 1 data_par only (types_as_declared), 2 dominant, 3 reads nothing that it writes
# (producer_updates_once).
@T.prim_func
def two_writers(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(8):
    #! parallelizable
    #! not decomposable: block "low" is not complete: block "high" writes B too
        with T.block("low"):
        #! not complete (2): block "high" writes B too
        #! not reduction (1): it has no T.init
        #! validatable by the rule
        #! no dominant: block "high" writes B too
        #! no dominant_covering: block "high" writes B too
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
    for i in range(8):
    #! parallelizable
    #! not decomposable: block "high" is not complete: block "low" writes B too
        with T.block("high"):
        #! not complete (2): block "low" writes B too
        #! not reduction (1): it has no T.init
        #! validatable by the rule
        #! no dominant: block "low" writes B too
        #! no dominant_covering: block "low" writes B too
            vi = T.axis.spatial(8, i)
            B[vi + 8] = A[vi + 8]
            #! WAW low -> high: B


# ---- Reduction block. With its init; the increment alone is the normal form that rfactor and decomposed inits leave.
@T.prim_func
def matmul(A: T.Buffer((10, 10), "float32"), B: T.Buffer((10, 10), "float32"), C: T.Buffer((10, 10), "float32")):
    for i, j, k in T.grid(10, 10, 10):
    #! i: parallelizable
    #! i: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
    #! j: parallelizable
    #! j: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
    #! k: not parallelizable: C[0, 0] is written at (i, j, k) = (0, 0, 0) and read at (0, 0, 1)
    #! k: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
        with T.block("C"):
        #! not complete (1): block variable vk is reduce, not data_par
        #! reduction
        #! validatable by the rule
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0.0
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


# Its conditions: 3 data_par or reduce only; 5 the output is not indexed by reduce variables.
@T.prim_func
def reduction_over_ordered(A: T.Buffer((10, 10), "float32"), C: T.Buffer((10,), "float32")):
    for i, k in T.grid(10, 10):
    #! i: parallelizable
    #! i: not decomposable: block "C" is not complete: block variable vk is ordered, not data_par
    #! k: not parallelizable: C[0] is written at (i, k) = (0, 0) and again at (0, 1)
    #! k: not decomposable: block "C" is not complete: block variable vk is ordered, not data_par
        with T.block("C"):
        #! vk is declared ordered, the body makes it reduce
        #! not complete (1): block variable vk is ordered, not data_par
        #! not reduction (3): block variable vk is ordered, neither data_par nor reduce
        #! incremental: sum
        #! validatable by the rule
            vi = T.axis.spatial(10, i)
            vk = T.axis.scan(10, k)
            with T.init():
                C[vi] = 0.0
            C[vi] = C[vi] + A[vi, vk]


@T.prim_func
def reduce_variable_in_the_output(A: T.Buffer((10, 10), "float32"), C: T.Buffer((10, 10), "float32")):
    for i, k in T.grid(10, 10):
    #! i: parallelizable
    #! i: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
    #! k: parallelizable
    #! k: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
        with T.block("C"):
        #! vk is declared reduce, the body makes it data_par
        #! not complete (1): block variable vk is reduce, not data_par
        #! not reduction (5): reduce variable vk indexes the output C
        #! incremental: sum
        #! validatable by the rule
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi, vk] = 0.0
            C[vi, vk] = C[vi, vk] + A[vi, vk]


# ---- The zeroing position. Before the top:
@T.prim_func
def zeroing_before_the_top(
    A: T.Buffer((10, 10), "float32"), B: T.Buffer((10, 10), "float32"), C: T.Buffer((10, 10), "float32")
):
    for i, j in T.grid(10, 10):
    #! i: parallelizable
    #! i: not decomposable: block "zeroC" is not complete: block "C" writes C too
    #! j: parallelizable
    #! j: not decomposable: block "zeroC" is not complete: block "C" writes C too
        with T.block("zeroC"):
        #! not complete (2): block "C" writes C too
        #! not reduction (1): it has no T.init
        #! validatable by the rule
        #! no dominant: block "C" writes C too
        #! no dominant_covering: block "C" writes C too
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = 0.0
    for i, j, k in T.grid(10, 10, 10):
    #! i: parallelizable
    #! i: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
    #! j: parallelizable
    #! j: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
    #! k: not parallelizable: C[0, 0] is written at (i#2, j#2 (line 241), k) = (0, 0, 0) and read at (0, 0, 1)
    #! k: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
        with T.block("C"):
        #! not complete (1): block variable vk is reduce, not data_par
        #! not reduction (1): it has no T.init
        #! incremental: sum
        #! validatable by the rule
        #! no dominant: block "zeroC" writes C too
        #! no dominant_covering: block "zeroC" writes C too
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
            #! RAW zeroC -> C: C
            #! WAW zeroC -> C: C
            #! compute_at zeroC under i: no (1): block "zeroC" is neither complete (block "C" writes C too) nor a reduction (it has no T.init)
            #! compute_at zeroC under j: no (1): block "zeroC" is neither complete (block "C" writes C too) nor a reduction (it has no T.init)
            #! compute_at zeroC under k: no (1): block "zeroC" is neither complete (block "C" writes C too) nor a reduction (it has no T.init)
            #! reverse_compute_at C under i: no (1): block "C" is neither complete (block variable vk is reduce, not data_par) nor a reduction (it has no T.init)
            #! reverse_compute_at C under j: no (1): block "C" is neither complete (block variable vk is reduce, not data_par) nor a reduction (it has no T.init)


# Under the father of the highest loop related to a reduce variable:
@T.prim_func
def zeroing_under_the_father(
    A: T.Buffer((10, 10), "float32"), B: T.Buffer((10, 10), "float32"), C: T.Buffer((10, 10), "float32")
):
    for i in range(10):
    #! parallelizable
    #! not decomposable: block "zeroC" is not complete: block "C" writes C too
        for j in range(10):
        #! parallelizable
        #! not decomposable: block "zeroC" is not complete: block "C" writes C too
            with T.block("zeroC"):
            #! not complete (2): block "C" writes C too
            #! not reduction (1): it has no T.init
            #! validatable by the rule
            #! no dominant: block "C" writes C too
            #! no dominant_covering: block "C" writes C too
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = 0.0
            for k in range(10):
            #! not parallelizable: C[0, 0] is written at (i, j, k) = (0, 0, 0) and read at (0, 0, 1)
            #! not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
                with T.block("C"):
                #! not complete (1): block variable vk is reduce, not data_par
                #! not reduction (1): it has no T.init
                #! incremental: sum
                #! validatable by the rule
                #! no dominant: block "zeroC" writes C too
                #! no dominant_covering: block "zeroC" writes C too
                    vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                    C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
                    #! RAW zeroC -> C: C
                    #! WAW zeroC -> C: C
                    #! compute_at zeroC under k: no (1): block "zeroC" is neither complete (block "C" writes C too) nor a reduction (it has no T.init)


# The reorder hazard: after reorder(k, i) the highest reduce loop is the outermost, so the zeroing moves before all, also before
# foo, which read the old values of C. Before the reorder foo and C are in one tree:
@T.prim_func
def before_the_reorder(
    A: T.Buffer((10, 10), "float32"), C: T.Buffer((10, 10), "float32"), D: T.Buffer((10, 10, 10), "float32")
):
    for i, j in T.grid(10, 10):
    #! i: parallelizable
    #! i: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
    #! j: parallelizable
    #! j: not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
        for k in range(10):
        #! not parallelizable: C[0, 0] is written at (i, j, k) = (0, 0, 0) and read at (0, 0, 1)
        #! not decomposable: block "C" is not complete: block variable vk is reduce, not data_par
            with T.block("foo"):
            #! complete
            #! validatable by the rule
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                D[vi, vj, vk] = C[vi, vj]
            with T.block("C"):
            #! not complete (1): block variable vk is reduce, not data_par
            #! reduction
            #! validatable by the rule
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = 0.0
                C[vi, vj] = C[vi, vj] + A[vi, vk]
                #! WAR foo -> C: C
                #! no stage pipeline: block "C" writes C, which "foo" read before


# ---- Complete is not that complete. C reads the element that A writes in the next iteration.
@T.prim_func
def reads_ahead(B: T.Buffer((16,), "float32"), C: T.Buffer((15,), "float32"), D: T.Buffer((15,), "float32")):
    A = T.alloc_buffer((16,))
    for i0 in range(15):
    #! not parallelizable: A[1] is written at i0 = 1 and read at 0
    #! not decomposable: block "C" reads A[1] at i0 = 0, which block "A" has not written in that iteration of i0
        with T.block("A"):
        #! complete
        #! validatable by the rule
        #! no dominant_covering: block "C": in one iteration of i0 it reads A[i0 + 1], of which "A" writes A[i0]
            vi = T.axis.spatial(15, i0)
            A[vi] = B[vi] + 1.0
        with T.block("C"):
        #! complete
        #! validatable by the rule
        #! no region_cover: in one iteration of i0 it reads A[i0 + 1], of which "A" writes A[i0]
            vi = T.axis.spatial(15, i0)
            C[vi] = A[vi + 1]
    for i1 in range(15):
    #! parallelizable
    #! decomposable
        with T.block("D"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(15, i1)
            D[vi] = C[vi]
            #! RAW A -> C: A
            #! RAW C -> D: C
            #! compute_at C under i1: no (2): block "A" is in the loop tree of block "C": A[1] is written at i0 = 1 and read at 0
            #! reverse_compute_at D under i0: yes
            #! no stage pipeline: block "C": in one iteration of i0 it reads A[i0 + 1], of which "A" writes A[i0]


# The consumer of B stands before its producer.
@T.prim_func
def writes_the_input_of_an_earlier(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i0 in range(16):
    #! parallelizable
    #! not decomposable: block "A" reads B, which block "B" writes later
        with T.block("A"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, i0)
            A[vi] = B[vi] + 1.0
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, i0)
            B[vi] = A[vi] + 1.0
            #! RAW A -> B: A
            #! WAR A -> B: B
            #! no stage pipeline: block "B" writes B, which "A" read before


# What the one-way check accepts: each block is complete, reads nothing written later, and what was written before in the same
# iteration.
@T.prim_func
def one_way(A: T.Buffer((16, 16), "float32"), D: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    C = T.alloc_buffer((16, 16))
    for i in range(16):
    #! parallelizable
    #! decomposable
        for j in range(16):
        #! parallelizable
        #! decomposable
            with T.block("B"):
            #! complete
            #! validatable by the rule
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * 2.0
        for j in range(16):
        #! parallelizable
        #! decomposable
            with T.block("C"):
            #! complete
            #! validatable by the rule
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, 15 - vj]
        for j in range(16):
        #! parallelizable
        #! decomposable
            with T.block("D"):
            #! complete
            #! validatable by the rule
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = C[vi, vj] + B[vi, vj]
                #! RAW B -> C: B
                #! RAW B -> D: B
                #! RAW C -> D: C
                #! compute_at B under j: no (3): block "D", which reads its output, is not under the loop
                #! reverse_compute_at C under j: yes
                #! compute_at B under j: no (3): block "C", which reads its output, is not under the loop
                #! reverse_compute_at D under j: no (3): block "C", which writes what it reads, is not under the loop
                #! compute_at C under j: yes
                #! reverse_compute_at D under j: no (3): block "B", which writes what it reads, is not under the loop


# A relaxed output region: at i = 0 Block1 writes the odd elements of B, at i = 1 the even ones, and Block2 reads both in every
# iteration. The declared region B[0:10] would cover it; the elements do not.
@T.prim_func
def relaxed_output_region(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32"), C: T.Buffer((2, 5), "float32")):
    for i in range(2):
    #! not parallelizable: B[1] is written at (i, j#1 (line 336)) = (0, 0) and read at (i, j#2 (line 342)) = (1, 0)
    #! not decomposable: block "Block2" reads B[2] at (i, j#2 (line 342)) = (0, 1), which block "Block1" has not written in that iteration of i
        for j in range(5):
        #! parallelizable
        #! decomposable
            with T.block("Block1"):
            #! complete
            #! validatable by the rule
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vj * 2 + (1 - vi)])
                T.writes(B[0:10])
                B[vj * 2 + (1 - vi)] = A[vj * 2 + (1 - vi)]
        for j in range(5):
        #! parallelizable
        #! decomposable
            with T.block("Block2"):
            #! complete
            #! validatable by the rule
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vj + 1])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vj + 1]
                #! RAW Block1 -> Block2: B
                #! compute_at Block1 under j: no (1): block "Block2" reads B[2] at (i, j#2 (line 342)) = (0, 1), which block "Block1" has not written in that iteration of i
                #! reverse_compute_at Block2 under j: no (4): block "Block2" reads B[2] at (i, j#2 (line 342)) = (0, 1), which block "Block1" has not written in that iteration of i


# ---- compute_at, first set of checks: the producer in a loop tree of its own, all readers under the loop, no output.
@T.prim_func
def compute_at(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
    #! i: parallelizable
    #! i: decomposable
    #! j: parallelizable
    #! j: decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 1.0
    for x, y in T.grid(16, 16):
    #! x: parallelizable
    #! x: decomposable
    #! y: parallelizable
    #! y: decomposable
        with T.block("C"):
        #! complete
        #! validatable by the rule
            vi, vj = T.axis.remap("SS", [x, y])
            C[vi, vj] = B[vi, vj] * 2.0
            #! RAW B -> C: B
            #! compute_at B under x: yes
            #! compute_at B under y: yes
            #! reverse_compute_at C under i: yes
            #! reverse_compute_at C under j: yes


# Two readers: none has all of them under its loops.
@T.prim_func
def two_readers(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32"), D: T.Buffer((15,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(16):
    #! parallelizable
    #! decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] + 1.0
    for x in range(16):
    #! parallelizable
    #! decomposable
        with T.block("C"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, x)
            C[vi] = B[vi] * 2.0
    for y in range(15):
    #! parallelizable
    #! decomposable
        with T.block("D"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(15, y)
            D[vi] = B[vi] + B[vi + 1]
            #! RAW B -> C: B
            #! RAW B -> D: B
            #! compute_at B under x: no (3): block "D", which reads its output, is not under the loop
            #! reverse_compute_at C under i: yes
            #! compute_at B under y: no (3): block "C", which reads its output, is not under the loop
            #! reverse_compute_at D under i: no (4): an instance of block "D" reads B[0] and B[1], written at i = 0 and 1


# Second set: producer and predecessor share a loop tree, which is decomposable.
@T.prim_func
def compute_at_from_a_shared_tree(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    C = T.alloc_buffer((16,))
    for i in range(16):
    #! parallelizable
    #! decomposable
        with T.block("B"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] + 1.0
        with T.block("C"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] * 2.0
    for x in range(16):
    #! parallelizable
    #! decomposable
        with T.block("D"):
        #! complete
        #! validatable by the rule
            vi = T.axis.spatial(16, x)
            D[vi] = C[vi]
            #! RAW B -> C: B
            #! RAW C -> D: C
            #! compute_at C under x: yes, by the second set of checks
            #! reverse_compute_at D under i: yes


# ---- rfactor by hand, before (matmul above has its loops, too) and after: partial sums over i0 are reductions of their own.
@T.prim_func
def before_rfactor(X: T.Buffer((8, 64), "float32"), A: T.Buffer((8,), "float32")):
    for j, i in T.grid(8, 64):
    #! j: parallelizable
    #! j: not decomposable: block "A" is not complete: block variable vi is reduce, not data_par
    #! i: not parallelizable: A[0] is written at (j, i) = (0, 0) and read at (0, 1)
    #! i: not decomposable: block "A" is not complete: block variable vi is reduce, not data_par
        with T.block("A"):
        #! not complete (1): block variable vi is reduce, not data_par
        #! reduction
        #! validatable by the rule
            vj, vi = T.axis.remap("SR", [j, i])
            with T.init():
                A[vj] = 0.0
            A[vj] = A[vj] + X[vj, vi]


@T.prim_func
def after_rfactor(X: T.Buffer((8, 64), "float32"), A: T.Buffer((8,), "float32")):
    BF = T.alloc_buffer((8, 4))
    for i0, j, i1 in T.grid(4, 8, 16):
    #! i0: parallelizable
    #! i0: not decomposable: block "BF" is not complete: block variable vi1 is reduce, not data_par
    #! j: parallelizable
    #! j: not decomposable: block "BF" is not complete: block variable vi1 is reduce, not data_par
    #! i1: not parallelizable: BF[0, 0] is written at (i0#1, j#1 (line 414), i1) = (0, 0, 0) and read at (0, 0, 1)
    #! i1: not decomposable: block "BF" is not complete: block variable vi1 is reduce, not data_par
        with T.block("BF"):
        #! not complete (1): block variable vi1 is reduce, not data_par
        #! reduction
        #! validatable by the rule
            vi0, vj, vi1 = T.axis.remap("SSR", [i0, j, i1])
            with T.init():
                BF[vj, vi0] = 0.0
            BF[vj, vi0] = BF[vj, vi0] + X[vj, vi0 * 16 + vi1]
    for j, i0 in T.grid(8, 4):
    #! j: parallelizable
    #! j: not decomposable: block "A" is not complete: block variable vi0 is reduce, not data_par
    #! i0: not parallelizable: A[0] is written at (j#2, i0#2 (line 420)) = (0, 0) and read at (0, 1)
    #! i0: not decomposable: block "A" is not complete: block variable vi0 is reduce, not data_par
        with T.block("A"):
        #! not complete (1): block variable vi0 is reduce, not data_par
        #! reduction
        #! validatable by the rule
            vj, vi0 = T.axis.remap("SR", [j, i0])
            with T.init():
                A[vj] = 0.0
            A[vj] = A[vj] + BF[vj, vi0]
            #! RAW BF -> A: BF
            #! compute_at BF under j: yes
            #! compute_at BF under i0: yes
            #! reverse_compute_at A under i0: yes
            #! reverse_compute_at A under j: yes
            #! reverse_compute_at A under i1: no (1): loop i1 belongs to the reduction of block "BF": BF[0, 0] is written at (i0#1, j#1 (line 414), i1) = (0, 0, 0) and again at (0, 0, 1)
