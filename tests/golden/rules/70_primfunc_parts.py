# rlx-golden: check
from tvm.script import ir as I, tirx as T

# What stands in the wrong place, or is no value, in PrimFuncs of TVM 0.25 and 0.27.


@T.prim_func(s_tir=True)
def views(P: T.Buffer((32, 8), "float32"), K: T.Buffer((8,), "int32"), s: T.int32):
    with T.sblock("opaque"):
        T.reads(P[0:32, 0:8])
        T.writes()
        U = T.match_buffer(P[s * 2 : s ^ 2 + 8, 0:8], (8, 8))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: dimension 0 of the part has another length than the view
        V = T.match_buffer(P[K[s] : K[1] + 8, 0:8], (8, 8))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: dimension 0 of the part has another length than the view
        W = T.match_buffer(P[K[s] : K[s] + 8, 0:8], (8, 8))
        X = T.match_buffer(P[s // 3 : 8 + s // 3, 0:8], (8, 8))
        Y = T.match_buffer(P[T.max(s, 1) : s + 8, 0:8], (8, 8))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: dimension 0 of the part has another length than the view


@T.prim_func(s_tir=True)
def inits(P: T.Buffer((32,), "float32"), s: T.int32):
    with T.While(s < 3):
        with T.init():
        #!   ^^^^^^^^ error[RLX0614]: T.init stands in a block
            P[0] = T.float32(1)


@T.prim_func(s_tir=True)
def words(P: T.Buffer((32,), "float32"), s: T.int32):
    nonlocal s
    #!       ^ error[RLX0614]: a parameter is not `nonlocal`
    b"pq".describe()
    #!    ^^^^^^^^ error[RLX0614]: an object of Python has no `describe`
    T.evaluate(b"pq".find(b"q"))
    c: T.let[T.int32] = T.shared_scalar()
    #!                  ^^^^^^^^^^^^^^^^^ error[RLX0614]: an object of Python, expected an expression
    d: T.Call[T.int32] = s
    #! ^^^^^^ error[RLX0614]: a function, expected a buffer
    P[0] = T.Select(s < 1, T.cta_id_in_cluster(), P[1])
    #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: T.Select takes values of one dtype, not an expression of int32 and an expression of float32


@T.prim_func(s_tir=True)
def axes(P: T.Buffer((32, 8), "float32")):
    for i, j in T.grid(32, 8):
        with T.sblock("b"):
            vi, vj = T.axis.remap("SS", [i, j], "SR")
            #!                                  ^^^^ error[RLX0614]: there is no dtype "SR"
            P[vi, vj] = T.float32(0)


@T.prim_func(s_tir=True)
def lengths(P: T.Buffer((32,), "float32")):
    Q = T.alloc_buffer((4, 1e39), "float32")
    #!                     ^^^^ error[RLX0614]: 1e+39 is no value of float32
    T.evaluate(0)


@T.prim_func(s_tir=True)
def numbers(P: T.Buffer((32,), "int16")):
    P[0] = T.infinity("float64")
    #!     ^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: no integer is infinite
    P[1] = T.int16(T.infinity("float32"))
    #!             ^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: no integer is infinite


@T.prim_func(s_tir=True)
def memory(P: T.Buffer((32,), "float32")):
    Q = T.Buffer((8,), "float32")
    T.call_packed("consume", Q)
    #!                       ^ error[RLX0614]: nothing declares the memory of this buffer: it is only described


@T.prim_func(s_tir=True)
def pointer(P: T.Buffer((32,), "float32")):
    Q = T.Buffer((8,), "float32")
    T.evaluate(T.tvm_access_ptr("float32", Q.data, 0, 8, 1))
    #!                                     ^^^^^^ error[RLX0614]: nothing declares the memory of this buffer: it is only described


@T.prim_func(s_tir=True)
def kernels(P: T.Buffer((2, T.thread_id()), "float32")):
#!                          ^^^^^^^^^^^^^ error[RLX0614]: a scope of a kernel stands in the body of a PrimFunc
    T.evaluate(0)


# Right: Python does not look at what it does not need, and an item of a list may be a namespace.
@[I, T][1].prim_func(s_tir=True)
def items(P: T.Buffer((32,), "float32")):
    P[0] = T.float32(1)


@T.prim_func(s_tir=True)
def short(P: T.Buffer((32 or absent, 8 if True else missing), "float32"), Q: T.Buffer((8,), "float32")):
    P[0, 0] = Q[1]


@T.prim_func(s_tir=True)
def older(P: T.buffer_decl((32,), "float32")):
#!             ^^^^^^^^^^^ warning[RLX0902]: `T.buffer_decl` is not in dialect 0.25, which has `T.Buffer`
#!     fix: write `T.Buffer`
    Q = T.buffer_decl((8,), "float32")
    #!    ^^^^^^^^^^^ warning[RLX0902]: `T.buffer_decl` is not in dialect 0.25, which has `T.decl_buffer`
    #!     fix: write `T.decl_buffer`
    P[0] = T.float32(1)


@T.prim_func(s_tir=True)
def older_used(P: T.Buffer((32,), "float32")):
    Q = T.buffer_decl((8,), "float32")
    #!    ^^^^^^^^^^^ warning[RLX0902]: `T.buffer_decl` is not in dialect 0.25, which has `T.decl_buffer`
    #!     fix: write `T.decl_buffer`
    Q[0] = P[1]
#!  ^ error[RLX0614]: nothing declares the memory of this buffer: it is only described


@T.prim_func(s_tir=True)
def older_wrong(P: T.Buffer((32,), "float32")):
    Q = T.buffer_decl((8,), (2,))
    #!    ^^^^^^^^^^^ warning[RLX0902]: `T.buffer_decl` is not in dialect 0.25, which has `T.decl_buffer`
    #!     fix: write `T.decl_buffer`
    #!                      ^^^^ error[RLX0614]: a tuple, expected a dtype as a string
    R = T.buffer_decl()
    #!  ^^^^^^^^^^^^^^^ error[RLX0423]: T.buffer_decl: argument `shape` is missing
    #!    ^^^^^^^^^^^ warning[RLX0902]: `T.buffer_decl` is not in dialect 0.25, which has `T.decl_buffer`
    #!     fix: write `T.decl_buffer`
    T.evaluate(0)


@T.prim_func(s_tir=True)
def handed_over(P: T.Buffer((32,), "float32")):
    with T.sblock("undeclared"):
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0615]: block "undeclared" needs T.reads and T.writes: buffer `P` is reached by its pointer
        T.reads(P[0:8])
        T.call_packed("consume", P)
    with T.sblock("declared"):
        T.reads(P[0:8])
        T.writes()
        T.call_packed("consume", P)
    with T.sblock("own"):
        Q = T.sblock_alloc_buffer((8,), "float32")
        T.call_packed("consume", Q)


@T.prim_func(s_tir=True)
def reached(P: T.Buffer((32, 8), "float32")):
    with T.sblock("view"):
#!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0615]: block "view" needs T.reads and T.writes: buffer `Q` is reached by its pointer
        T.reads()
        Q = T.match_buffer(P[0:8, 0:8], (8, 8))
        T.evaluate(Q.data)
    with T.sblock("body"):
#!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0615]: block "body" needs T.reads and T.writes: buffer `R` is reached by its pointer
        R = T.alloc_buffer((8,), "float32")
        T.evaluate(R.data)


@T.prim_func(s_tir=True)
def computed(P: T.Buffer((32,), "float32"), h: T.handle):
    P.view()[0] = T.float32(1)
#!  ^^^^^^^^^^^ error[RLX0614]: 1 index for 0 dimensions
    P[1] = 2.5e38 * 4
    #!     ^^^^^^^^^^ error[RLX0614]: 1e+39 is no value of float32
    P[2] = 2.5 * 4 - 10.0**38
    P[3] = T.float32(10.0**39)
    #!               ^^^^^^^^ error[RLX0614]: 1e+39 is no value of float32
    T.evaluate(h.equal(1))
    #!         ^^^^^^^^^^ error[RLX0614]: a pointer and a number are not compared


# Which of its two values the `with` takes is Python's.
@T.prim_func(s_tir=True)
def chosen(P: T.Buffer((32,), "float32")):
    for i in range(32):
        with T.sblock and T.sblock("b"):
            vi = T.axis.spatial(32, i)
            P[vi] = T.float32(1)


@T.prim_func(s_tir=True)
def pools(P: T.Buffer((32,), "float32"), s: T.int32):
    p = T.SMEMPool()
    t = T.TMEMPool(p)
    u = T.TMEMPool(s)
    #!             ^ error[RLX0614]: an expression of int32, expected a pool of memory
    v = T.TMEMPool()
    #!  ^^^^^^^^^^^^ error[RLX0614]: T.TMEMPool takes the pool whose memory it shares
    w = T.SMEMPool(1, 2)
    #!  ^^^^^^^^^^^^^^^^ error[RLX0614]: T.SMEMPool takes one pointer
    T.evaluate(s < 3 and T.likely(0.5))
    #!         ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: `and` and `or` take conditions, not an expression of float32
    T.evaluate(T.likely(s < 3) and s < 5)
