# What gives a variable its value, a buffer its memory; what a pointer is. The same in 0.25 and 0.27.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def again(one: T.handle, C: T.Buffer((8,), "int32")):
    m = T.int32()
    first = T.match_buffer(one, (m,), "int32")
    second = T.match_buffer(one, (16,), "int32")
    second[1] = first[1]
    #!          ^^^^^ error[RLX0614]: its parameter is matched again, by another buffer: this one has no memory


@T.prim_func(s_tir=True)
def in_a_block(A: T.Buffer((8, 8), "float32"), C: T.Buffer((8,), "int32")):
    k = T.int32()
    with T.sblock("inside"):
        view = T.match_buffer(A[0:8, 0:8], (8, 8), strides=[k, 1])
        view[0, 0] = T.Cast("float32", k)
    C[0] = k + 1
    #!     ^^^^^ error[RLX0614]: this variable has a value only in the block whose T.match_buffer names it


@T.prim_func(s_tir=True)
def pointers(A: T.Buffer((8, 8), "float32"), n: T.int32):
    pointer = T.handle()
    view = T.decl_buffer((8,), "float32", data=n)
    #!                                         ^ error[RLX0614]: an expression of int32, expected a pointer
    other = T.decl_buffer((8,), "float32", strides=("x",))
    #!                                             ^^^^^^ error[RLX0614]: a string, expected a stride
    T.evaluate(T.call_extern("int32", "take", pointer))
    #!                                        ^^^^^^^ error[RLX0614]: this variable never gets a value: no buffer's shape names it


@T.prim_func(s_tir=True)
def body_names(A: T.Buffer((8, 8), "float32")):
    for i in range(8):
        with T.sblock("b"):
            vi = T.axis.spatial(8, i)
            doubled: T.let[T.int32] = vi * 2
            T.reads()
            T.writes(A[vi, doubled])
            #!       ^^^^^^^^^^^^^^ warning[RLX0609]: block "b": it writes A[vi, vi * 2], and T.writes says A[vi, doubled]: not enough at vi = 1, doubled = 3
            #!     fix: declare what it writes
            #!             ^^^^^^^ error[RLX0614]: a name of the block's body: it has no value outside of the body
            A[vi, doubled] = 1.0
#!          ^^^^^^^^^^^^^^^^^^^^ warning[RLX0620]: A[4, 8] is written at i = 4, outside of its shape (8, 8)


@T.prim_func(s_tir=True)
def vectors(A: T.Buffer((8, 8), "float32")):
    A[T.ramp(0, 1, 4), 0] = 1.0
#!    ^^^^^^^^^^^^^^^ error[RLX0614]: only the last index may be a vector
    A[0, T.ramp(0, 1, 4)] = T.Broadcast(T.float32(2), 2)
    #!                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of float32x2, expected a vector of as many elements
    A[1, T.ramp(0, 1, 4)] = T.Broadcast(T.float32(2), 4)
    A[0, 1] = A[0, T.Broadcast(1, 3)]
    #!        ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of float32x3, expected one element


@T.prim_func(s_tir=True)
def floats(A: T.Buffer((8, 8), "float32"), D: T.Buffer((1,), "float64")):
    A[0, 0] = A[0, 1] * 4e38
    #!        ^^^^^^^^^^^^^^ error[RLX0614]: 4e+38 is no value of float32
    D[0] = T.float64(-4e38)
    #!               ^^^^^ error[RLX0614]: -4e+38 is no value of float32
    A[0, 2] = T.float32("4e38")
    #!                  ^^^^^^ error[RLX0614]: 4e+38 is no value of float32
    A[0, 3] = 1e999
    wide: T.let[T.float64] = 4e38
    A[0, 4] = T.Cast("float32", wide)


@T.prim_func(s_tir=True)
def named(A: T.Buffer((8, 8), "float32"), n: T.int32):
    with T.sblock("b") as block:
    #!                    ^^^^^ error[RLX0614]: T.sblock gives nothing to name
        A[0, 0] = 1.0
    for i in enumerate(4):
    #!                 ^ error[RLX0614]: `enumerate` of Python does not take an int
        A[i, 0] = 1.0
    for i in T.grid([0, n]):
        A[i, 1] = 1.0
    A[0, 0].x = 1.0
#!  ^^^^^^^^^ error[RLX0614]: an attribute cannot be assigned to here
    A = A
    assert n > 0, ("ValueError", ["too", "small"], 3)
    #!            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a message that is a tuple has two items, the kind of the error and a list of strings
    ...
#!  ^^^ error[RLX0614]: `...` is no statement of TensorIR


@T.prim_func(s_tir=True)
def starred(A: T.Buffer((8, 8), "float32"), n: T.int32):
    for i in range(*[1, 4]):
    #!             ^^^^^^^ error[RLX0614]: `range` of a loop takes its arguments one by one
        A[i, 0] = T.max(*[A[i, 1], A[i, 2]])
    for i, j in T.grid(*[*A.shape]):
        A[i, j] = T.max(*[A[i, 1], A[i, 2], A[i, 3]])
        #!              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: T.max: it is given more arguments than it takes
    A[0, 0] = T.if_then_else(*[n > 2, 1.0])
    #!                       ^^^^^^^^^^^^^ error[RLX0614]: T.if_then_else: it is given no `f`
    T.evaluate(T.call_extern("int32", "f", (A.data, 1)))
    #!                                     ^^^^^^^^^^^ error[RLX0614]: a tuple, expected an expression
    T.evaluate(n.shape[0])
    #!           ^^^^^ error[RLX0614]: an expression of int32 has no `shape`


@T.prim_func(s_tir=True)
def slices(A: T.Buffer((8, 8), "float32"), C: T.Buffer((8,), "int32"), n: T.int32):
    A[0, n : n + 2] = T.float32(1)
    #!                ^^^^^^^^^^^^ error[RLX0614]: an expression of float32, expected a vector of as many elements
    A[1, n : n + 4 : 2] = T.Broadcast(T.float32(1), 2)
    with T.sblock("bounds"):
        T.reads(A[0 : C[0:2], 0])
        #!            ^^^^^^ error[RLX0614]: a part of a buffer, expected a bound
        A[0, 0] = 1.0
    A[2, 0] = {"a": 1.0, "b": 2.0}["c"]
    #!        ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: the dictionary has no such key
    A[3, 0] = {1, 2}[0]
    #!        ^^^^^^ error[RLX0614]: a set has no items to ask for
    A[4, 0] = T.Select(A[0, T.ramp(0, 1, 4)] > 0.0, 1.0, 2.0)
    #!                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of boolx4, expected a condition of as many elements as the values


@T.prim_func(s_tir=True)
def own_memory(A: T.Buffer((8, 8), "float32"), C: T.Buffer((8,), "int32")):
    with T.sblock("of_the_body"):
        inside = T.alloc_buffer((8,), "int32")
        T.reads(C[0:8])
        T.writes(inside[0:8])
        #!       ^^^^^^ error[RLX0614]: a name of the block's body: it has no value outside of the body
        inside[0] = C[0]
    with T.sblock("of_the_block"):
        own = T.sblock_alloc_buffer((8,), "int32")
        T.reads(C[0:8])
        T.writes(own[0:8])
        own[0] = C[0]
    with T.sblock("declared"):
        view = T.decl_buffer((64,), "float32", data=A.data)
        T.writes(A[0:8, 0:8])
#!      ^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: T.writes stands at the top of a block, not below a loop or a condition in it
        view[0] = 1.0
