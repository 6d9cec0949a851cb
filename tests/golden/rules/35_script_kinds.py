# What arguments, indices, dimensions and axes of a PrimFunc may be: no functions of T, no values of other dtypes or of more elements.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def functions_as_indices(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        B[i, j] = A[i, T.axis.remap]
        #!             ^^^^^^^^^^^^ error[RLX0614]: a function, expected an index
    for i, j in T.grid(8, 8):
        B[i, T.Cast] = A[i, j]
        #!   ^^^^^^ error[RLX0614]: a function, expected an index
    for i, j in T.grid(8, 8):
        B[i, ...] = A[i, j]
        #!   ^^^ error[RLX0614]: `...` is no index of a buffer
    for i, j in T.grid(8, 8):
        B[range(8), j] = A[i, j]
#!        ^^^^^^^^ error[RLX0614]: a value of Python, expected an index
    for i, j in T.grid(8, T.match_buffer):
    #!                    ^^^^^^^^^^^^^^ error[RLX0614]: a function, expected an integer
        B[i, j] = A[i, j] * T.axis
        #!        ^^^^^^^^^^^^^^^^ error[RLX0614]: `*` does not take an expression and a function
    for i in T.prim_func(8):
    #!                   ^ error[RLX0614]: an int, expected a function
        B[i, i] = A[i, i]
    T.axis({"noalias": True})
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: T.axis takes no arguments


@T.prim_func(s_tir=True)
def blocks(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("of_two", i):
        #!                      ^ error[RLX0614]: an expression of int32, expected True or False
            v = T.axis.spatial(8, i)
            B[v] = A[v]
    for i in range(8):
        with T.sblock("unrealized", True):
            v = T.axis.spatial(8, i)
            #!  ^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a block with `no_realize=True` has no axes that are bound
            B[v] = A[v]
    for i in T.serial(T.uint16(8)):
        with T.sblock("unsigned"):
            v = T.axis.remap("S", [i])
            #!                     ^ error[RLX0614]: an expression of uint16, expected the variable of a loop of int32 or int64
            B[v] = A[v]
    for i in range(8):
        with T.sblock("dtype"):
            v = T.axis.remap("S", [i], 64)
            #!                         ^^ error[RLX0614]: an int, expected a dtype as a string
            B[v] = A[v]
    for i in range(8):
        with T.sblock("wide"):
            v = T.axis.spatial(8, i, dtype="int64")
            #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: the extent of the axis has fewer bits than the axis
            B[v] = A[v]
    for i in range(8):
        with T.sblock("flag"):
#!      ^^^^^^^^^^^^^^^^^^^^^^ warning[RLX0625]: the loops leave the domain of the block variables of block "flag": instance v = 1 runs at i#6 (line 44) = 1, outside of its domain
            v = T.axis.reduce(i < 3, i)
            #!                ^^^^^ error[RLX0614]: an expression of bool, expected the extent of the axis
            B[v] = A[v]
    for i in range(8):
        with T.sblock("parts"):
            v = T.axis.spatial(8, i)
            T.reads(A[0:8:4])
            #!      ^^^^^^^^ error[RLX0614]: the part has a step or a vector as an index
            T.writes(T.exp)
            #!       ^^^^^ warning[RLX0609]: block "parts": it writes B[v], which T.writes leaves out
            #!     fix: declare what it writes
            #!       ^^^^^ error[RLX0614]: a function, expected a part of a buffer
            B[v] = A[v]


@T.prim_func(s_tir=True)
def elements(A: T.Buffer((4, 8), "float32"), V: T.Buffer((4,), "float16x2"), N: T.Buffer((4,), ""), B: T.Buffer((8,), "float32")):
    for i in range(4):
        B[i] = A[i]
        #!     ^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
    for i in range(4):
        B[i] = A[i] + B[i]
        #!     ^^^^ error[RLX0604]: buffer `A` has 2 dimensions, and 1 index is given
    for i in range(4):
        V[i] = B[i]
        #!     ^^^^ error[RLX0614]: an expression of float32, expected a vector of as many elements
    for i in range(4):
        B[i] = V[i] * T.float16(2)
        #!     ^^^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of float16x2, expected one element
    for i in range(4):
        B[i] = T.Cast("float32", V[i])
        #!                       ^^^^ error[RLX0614]: an expression of float16x2, expected one element
    for i in range(4):
        N[i] = 1
        #!     ^ error[RLX0614]: an int, expected a value of the buffer's dtype
    for i in range(4):
        B[i] = N[i] - B[i]
        #!     ^^^^^^^^^^^ error[RLX0614]: `-` does not take an expression and an expression of float32
    B[0:4] = T.float32(1)
    #!       ^^^^^^^^^^^^ error[RLX0614]: an expression of float32, expected a vector of as many elements
    B[2:] = A[0, 2:8]
#!    ^^ error[RLX0614]: a slice of a store has a start and an end
    for i in range(4):
        if i < 4294967296:
            B[i] = B[i] / T.float32(2)
    for i in range(4):
        B[i // T.int32(0)] = 1.0
#!        ^^^^^^^^^^^^^^^ error[RLX0614]: division by zero


@T.prim_func(s_tir=True)
def dimensions(h: T.handle, B: T.Buffer((8,), "float32")):
    C = T.match_buffer(h, (T.float16(8), 8), "float32")
    #!                     ^^^^^^^^^^^^ error[RLX0614]: an expression of float16, expected a dimension
    D = T.sblock_alloc_buffer((8, T.int64()))
    #!                            ^^^^^^^^^ error[RLX0614]: this variable never gets a value: no buffer's shape names it
    for i, j in T.grid(8, 5000000000):
    #!                    ^^^^^^^^^^ error[RLX0614]: a plain number is an int32 here
        B[i] = C[i, j]
        #!     ^^^^^^^ warning[RLX0620]: C[0, 8] is read at (i, j) = (0, 8), outside of its shape (T.float16(8.0), 8)


@T.prim_func
def pointers(a: T.handle("float32", 0), b: T.Ptr("q"), n: T.int32):
#!                                  ^ error[RLX0614]: an int, expected a string
#!                                               ^^^ error[RLX0614]: a string, expected a dtype as a string
    w: T.let[T.sqrt] = n
    #!       ^^^^^^ error[RLX0614]: a function, expected a dtype, as T.int32
    x: T.let[T.int32, "local"] = n
    #! ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: T.let takes one dtype, as T.let[T.int32]
    y: T.let[T.handle] = n
    #!                   ^ error[RLX0614]: a value of int32 under a name of handle
    z: T.let[T.int32] = T.tvm_struct_get(a, 0, 4, n)
    #!                                            ^ error[RLX0614]: an expression of int32, expected a dtype as a string
    T.func_attr({n: 1})
    #!           ^ error[RLX0614]: a key of attributes is a string


@T.prim_func(s_tir=True)
def right(h: T.handle, V: T.Buffer((4,), "float16x2"), N: T.Buffer((4,), "void"), p: T.Ptr("float32"), B: T.Buffer((8, 2.0 and 16), "float32")):
    T.func_attr({"tirx.noalias": True, "other": T.float32})
    C = T.match_buffer(h, (8, T.int64(16)), "float32")
    D = T.sblock_alloc_buffer((8, 0.5))
    for i, j in T.grid(8, T.int64(16)):
        with T.sblock("b", False):
            v = T.axis.spatial(8, i)
            w = T.axis.spatial(T.int64(16), j, "int32")
            T.reads(C[v, 0:16])
            T.writes(B[0:8, 0:16])
            B[v, w] = C[v, w]
#!          ^^^^^^^^^^^^^^^^^ hint[RLX0627]: index 2 of B is no integer expression
    for i in range(4):
        V[i] = V[i] * T.float16(2)
        N[i] = N[i]
    q: T.let[T.handle("float32", "global")] = B.data
    r: T.let[T.float32] = B[0, 0] if 1 < 4294967296 else 0.0
    #!                    ^^^^^^^ hint[RLX0627]: index 2 of B is no integer expression
    T.evaluate(r)


@T.prim_func(s_tir=True)
def more(A: T.Buffer((16,), "uint8"), S: T.Buffer((), "float32")):
    T.func_attr({"global_symbol": 8})
    #!                            ^ error[RLX0614]: an int, expected a string
    t = T.env_thread("threadIdx.x")
    with T.launch_thread(t, 16):
        A[t] = T.uint8(1)
    t = T.env_thread("threadIdx.y")
#!  ^ error[RLX0602]: `t` is defined in this scope already
    x, y = T.grid
#!  ^^^^ error[RLX0614]: 2 names for a function
    for i in T.exp[0]:
    #!       ^^^^^ error[RLX0614]: a function, expected a buffer
        S[0] = 1.0
#!      ^^^^ error[RLX0614]: 1 index for 0 dimensions
    for i in range(16):
        with T.sblock("b" == "c"):
        #!            ^^^^^^^^^^ error[RLX0614]: a bool of Python, expected a string
            v = T.axis.spatial(16, i)
            T.reads(T.min(A[v], A[v]))
            #!      ^^^^^^^^^^^^^^^^^ error[RLX0614]: an expression of uint8, expected a part of a buffer
            C = T.match_buffer(A[0:16], (16,))
            #!                 ^^^^^^^ error[RLX0614]: a part of a buffer, expected a part of a buffer of the same dtype
            A[v] = A[S[()] / T.float32(0.0)] + _w
            #!       ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: division by zero
