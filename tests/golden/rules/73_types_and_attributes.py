# rlx-golden: check
from tvm.script import tirx as T

# T.bind's type is no use of a loop in a block, nor is the node of an attribute; its value is. Axes together have no name.


@T.prim_func(s_tir=True)
def typed(A: T.Buffer((8, 4), "float32")):
    for i, k in T.grid(8, 4):
        with T.sblock("copy"):
            vi, vk = T.axis.remap("SS", [i, k])
            T.bind(1, i)
            with T.attr(i, "key", vk):
                A[vi, vk] = 0.0


@T.prim_func(s_tir=True)
def used(A: T.Buffer((8, 4), "float32")):
    for i, k in T.grid(8, 4):
        with T.sblock("copy"):
            vi, vk = T.axis.remap("SS", [i, k])
            with T.attr(A, "key", i):
            #!                    ^ error[RLX0601]: loop `i` is used inside block "copy", which sees its block variables only
                A[vi, vk] = 0.0


@T.prim_func(s_tir=True)
def together(A: T.Buffer((8, 4), "float32")):
    for i, k in T.grid(8, 4):
        with T.sblock("copy"):
            axes = T.axis.remap("SS", [i, k])
#!          ^^^^ error[RLX0614]: a tuple, expected a value of a PrimFunc under a name
            A[axes[0], axes[1]] = 0.0


@T.prim_func(s_tir=True)
def described(A: T.Buffer((8, 4), "float32", T.evaluate(0))):
#!                                           ^^^^^^^^^^^^^ error[RLX0614]: T.evaluate stands in the body
    A[0, 0] = 0.0
