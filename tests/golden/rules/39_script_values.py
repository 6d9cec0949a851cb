# Values of a PrimFunc's script that TVM refuses where they stand, in 0.25 and 0.27 alike.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def own_axes(A: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        with T.sblock("outer"):
#!      ^^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0625]: the loops leave the domain of the block variables of block "outer": instance (vi, vj) = (1, 8) runs at (i, j) = (1, 7), outside of its domain
            vi = T.axis.spatial(8, i)
            vj = T.axis.spatial(8, vi + j)
            #!                     ^^ error[RLX0614]: an axis of the same block: it has no value outside of the block
            T.where(vi < 4)
            #!      ^^ error[RLX0614]: an axis of the same block: it has no value outside of the block
            A[vi, vj] = T.float32(0)
            with T.sblock("inner"):
                vk = T.axis.spatial(8, vi)
                A[vk, vj] = T.float32(1)


@T.prim_func(s_tir=True)
def parts(A: T.Buffer((8, 8), "float32"), n: T.int32):
    A[0][1] = T.float32(1)
#!  ^^^^ error[RLX0614]: a part of a buffer, expected a buffer
    A[0, 1] = T.max(A[0, 0:n], T.float32(1))
    #!              ^^^^^^^^^ error[RLX0612]: this part of buffer `A` is no value
    A[0, 1] = T.exp(A[2])
    #!              ^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
    A[0, (1,)] = T.float32(2)
    #!   ^^^^ error[RLX0614]: a tuple, expected an index
    A[1][0]
#!  ^^^^^^^ error[RLX0614]: a part of a buffer, expected a statement of TensorIR
    row = A[1]
    row[0] = T.float32(1)
#!  ^^^ error[RLX0614]: a part of a buffer, expected a buffer
    x: T.float32 = A[2, 0:4]
    #!             ^^^^^^^^^ error[RLX0614]: a part of a buffer, expected one element


@T.prim_func(s_tir=True)
def undefined(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, 4), "float32", strides=(m * 4, 1))
    #!                                                ^^^^^ error[RLX0614]: this variable never gets a value: no buffer's shape names it
    B = T.match_buffer(b, (n + 1, 4), "float32")
    A[0, 0] = B[n, 0]


@T.prim_func(s_tir=True)
def threads(A: T.Buffer((8,), "float32"), n: T.int32):
    with T.launch_thread(n, 8):
    #!                   ^ error[RLX0614]: an expression of int32, expected the name or the variable of a thread axis
        A[0] = T.float32(1)
    t = T.env_thread("threadIdx.x")
    with T.launch_thread(t, 8):
        A[t] = T.float32(1)
    with T.launch_thread(t, 4):
    #!                      ^ error[RLX0614]: the thread axis has the extent 8 already
        A[t] = T.float32(1)
    with T.launch_thread("threadIdx.y", 4.0):
    #!                                  ^^^ error[RLX0614]: a float, expected an integer
        A[0] = T.float32(1)
    for i in T.thread_binding(0.5, 8, thread="blockIdx.x"):
    #!                        ^^^ error[RLX0614]: a float, expected an integer
        A[i] = T.float32(1)


@T.prim_func(s_tir=True)
def literals(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "float32")):
    A[0] = 300
    #!     ^^^ error[RLX0614]: 300 is no value of int8
    A[1] = T.int32(-128)
    x: T.int8 = 128
    #!          ^^^ error[RLX0614]: 128 is no value of int8
    A[2] = x
    flag: T.let[T.int32] = True
    #!                     ^^^^ error[RLX0614]: a value of bool under a name of int32
    B[0] = B[T.int64[4]]
    #!       ^^^^^^^^^^ error[RLX0614]: an annotation, expected an index
    B[1] = T.let[T.float32] + B[0]
    #!     ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: `+` does not take an annotation and an expression of float32
    B[2] = T.prim_func(s_tir=True)(3)
    #!                             ^ error[RLX0614]: an int, expected a function
    [y, z] = T.max(B[0], B[1])
#!  ^^^^^^ error[RLX0614]: 2 names for an expression of float32
    T.evaluate(T.call_extern("int32", "f", *B[0]))
    #!                                     ^^^^^ error[RLX0614]: an expression of float32, expected a list
    range(8)
#!  ^^^^^^^^ error[RLX0614]: a value of Python, expected a statement of TensorIR
    for i in range(8) and range(4):
    #!       ^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a loop runs over range, T.serial, T.grid, T.parallel, T.vectorized, T.unroll or T.thread_binding
        B[i] = T.float32(0)


@T.prim_func(s_tir=True)
def attributes(A: T.Buffer((8,), "float32")):
    T.func_attr({"a": 1, "a": 2})
    T.func_attr({-1: "x"})
    #!           ^^ error[RLX0614]: a key of attributes is a string
    T.func_attr({"b", "c"})
    #!          ^^^^^^^^^^ error[RLX0614]: a value of Python, expected a dictionary
    for i in range(8):
        with T.sblock("b"):
            vi = i.axis.spatial(8, i)
            #!     ^^^^ error[RLX0614]: an expression of int32 has no `axis`
            vj, vk = T.sblock("c").remap("SS", [i, i])
            #!                     ^^^^^ error[RLX0614]: a block or scope has no `remap`
        with T.axis():
        #!   ^^^^^^^^ error[RLX0614]: a value of Python, expected a block or scope
            A[i] = T.float32(0)


@T.prim_func(s_tir=True)
def signature(A: T.sblock_alloc_buffer((8,), "float32"), B: T.Buffer((8,), "float32"[0])):
#!               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a parameter is described by T.Buffer; this stands in a body
#!                                                                         ^^^^^^^^^^^^ error[RLX0614]: there is no dtype "f"
    T.evaluate(0)


@T.prim_func
def never_verified(A: T.Buffer((8,), "float32")):
    A[0] = T.float32()


@T.prim_func(s_tir=True)
def views(A: T.Buffer((16, 16), "float32"), n: T.int32):
    m = T.int32()
    for i in range(2):
        with T.sblock("fits"):
            vi = T.axis.spatial(2, i)
            B = T.match_buffer(A[vi * 8:vi * 8 + 8, 0:4], (8, m), "float32")
            B[0, 0] = T.float32(0)
        with T.sblock("shorter"):
            vi = T.axis.spatial(2, i)
            B = T.match_buffer(A[vi * 8:vi * 8 + 8, 0:4], (8, 5), "float32")
            #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: dimension 1 of the part has another length than the view
            B[0, 0] = T.float32(0)
        with T.sblock("symbolic"):
            vi = T.axis.spatial(2, i)
            B = T.match_buffer(A[1:vi * 8 + 1, 0:4], (8, 4), "float32")
            #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: dimension 0 of the part has another length than the view
            B[0, 0] = T.float32(0)
        with T.sblock("row"):
            vi = T.axis.spatial(2, i)
            B = T.match_buffer(A[vi, 0:4], (4,), "float32")
            B[0] = T.float32(0)
        with T.sblock("rows"):
            vi = T.axis.spatial(2, i)
            B = T.match_buffer(A[0:2, 0:4], (4,), "float32")
            #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: dimension 0 of the part has another length than the view
            B[0] = T.float32(0)
    C = T.match_buffer(m, (4,), "float32")
    #!                 ^ error[RLX0614]: an expression of int32, expected a parameter


@T.prim_func(s_tir=True)
def simplified(A: T.Buffer((16, 16), "float32"), V: T.Buffer((4,), "int32x4"), u: T.uint8):
    for i, j in T.grid(16, 16):
        with T.sblock("loops"):
            vi, vj = T.axis.remap("SS", [T.max(i, i), j * 1 + 0])
            A[vi, vj] = T.float32(0)
    half = u / T.uint8(2)
    A[0, 0] = A[0, 0] + A[0, 1] * T.Cast("float32x4", V[0])
    #!        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of float32x4, expected one element
    A[0, 1] = A[0, 0] << 2
    #!        ^^^^^^^^^^^^ error[RLX0614]: `<<` does not take an expression of float32 and an int
    q: T.let[T.int32] = T.Cast("int32", u) << 40
    #!                  ^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: the shift is by as many bits as the value has, or more
    r: T.int32 = T.floormod(q, T.int32(0))
    #!           ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: division by zero
    r: T.int32 = 3
#!  ^ error[RLX0602]: `r` is defined in this scope already
    flag: T.bool = 2
    #!             ^ error[RLX0614]: 2 is no value of bool
    x = A.shape
#!  ^ error[RLX0614]: a tuple, expected a value of a PrimFunc under a name
    y, z = A
#!  ^^^^ error[RLX0614]: 2 names for a buffer
    T.evaluate(T.call_extern("int32", "f", None))
    #!                                     ^^^^ error[RLX0614]: None, expected an expression
    T.s_tir(3)
#!  ^^^^^^^ error[RLX0614]: `T.s_tir` is no function


@T.prim_func(s_tir=True)
def parameters(A: T.Buffer((4,), "float32") == 0, B: lambda: T.handle, C: T.Buffer((4,), "float32" % 2)):
#!                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a bool of Python, expected a buffer, or the type of a variable
#!                                                   ^^^^^^^^^^^^^^^^ error[RLX0614]: a function, expected a buffer, or the type of a variable
#!                                                                                       ^^^^^^^^^^^^^ error[RLX0614]: `%` does not take a string and an int
    T.evaluate(0)
