# A loop with a step is a loop: T.axis.remap takes its name, and the domain is all that it runs over.
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    for i in T.serial(128, step=2):
        with T.sblock("b"):
#!      ^^^^^^^^^^^^^^^^^^^ information[RLX0624]: the binding of block "b" is not one to one: instance vi = 1 never runs
            vi = T.axis.remap("S", [i])
            B[vi] = A[vi]

@T.prim_func(s_tir=True)
def g(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    for i in T.serial(0, 128, step=2):
        with T.sblock("b"):
#!      ^^^^^^^^^^^^^^^^^^^ information[RLX0624]: the binding of block "b" is not one to one: instance vi = 1 never runs
            vi = T.axis.spatial(128, i)
            B[vi] = A[vi]

@T.prim_func(s_tir=True)
def h(A: T.Buffer((128, 8), "float32"), B: T.Buffer((128, 8), "float32")):
    for i in T.serial(4, 128, step=4):
        for j in range(8):
            with T.sblock("b"):
#!          ^^^^^^^^^^^^^^^^^^^ information[RLX0624]: the binding of block "b" is not one to one: instance (vi, vj) = (5, 0) never runs
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]
