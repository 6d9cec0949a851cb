# rlx-golden: tir
# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# Symbolic variables of a printed module (0.27) are variables of each PrimFunc that names them: its blocks are understood.

n = TypeVar("n")
m = TypeVar("m")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def sums(A: T.Buffer((n, m), "float32"), B: T.Buffer((n,), "float32")):
        for i, j in T.grid(n, m):
        #! i: parallelizable
        #! i: not decomposable: block "B" is not complete: block variable vj is reduce, not data_par
        #! j: not parallelizable: for n = 1, m = 2, B[0] is written at (i, j) = (0, 0) and read at (0, 1)
        #! j: not decomposable: block "B" is not complete: block variable vj is reduce, not data_par
            with T.sblock("B"):
            #! not complete (1): block variable vj is reduce, not data_par
            #! reduction
            #! validatable by the rule
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    B[vi] = T.float32(0.0)
                B[vi] = B[vi] + A[vi, vj]

    @T.prim_func(private=True, s_tir=True)
    def flat(A: T.Buffer((n, m), "float32"), B: T.Buffer(("n * m",), "float32")):
        for i, j in T.grid(n, m):
        #! i: parallelizable
        #! i: decomposable
        #! j: parallelizable
        #! j: decomposable
            with T.sblock("B"):
            #! complete
            #! validatable by the rule
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi * m + vj] = A[vi, vj]
