# Operands of T.ptx: their dtypes, what can be written to, predicates, addresses, groups of registers.
# rlx-golden: check
from tvm.script import tirx as T


@T.prim_func
def taken(A: T.Buffer((8,), "float32"), U: T.Buffer((8,), "uint32"), L: T.Buffer((8,), "uint64"), p: T.handle, n: T.int32):
    T.device_entry()
    x = T.local_scalar("uint32")
    T.ptx.mov.b32(x, A[1])
    T.ptx.mov.b32(U[0] + T.uint32(0), n)
    T.ptx.mov.b32(T.uint32(U[0]), 1)
    T.ptx.mov.b64(L[0], A[0], 1.5)
    T.ptx.mov.b64(x, T.ptx.SINK, L[0])
    T.ptx.selp.b32(x, U[1], U[2], n == 1)
    T.ptx.selp.b32(x, U[1], U[2], T.ptx.pred(n))
    T.ptx.ld.global_.b32(x, T.ptx.addr(L[0], 4))
    T.ptx.ld.shared.b32(x, T.ptx.addr(U[0], 4))
    T.ptx.ld.shared.b32(x, p)
    T.ptx.lop3.b32(x, U[1], U[2], U[3], n)


@T.prim_func
def refused(A: T.Buffer((8,), "float32"), U: T.Buffer((8,), "uint32"), L: T.Buffer((8,), "uint64"), p: T.handle, n: T.int32):
    T.device_entry()
    x = T.local_scalar("uint64")
    bound: T.let = U[0] * T.uint32(3)
    T.ptx.mov.b32(x, U[0])
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b32` fits no instruction of PTX: operand 1 is uint64, and has to be one of: uint32 int32 float32
    T.ptx["mov.b32"](U[0], L[1])
#!  ^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b32` fits no instruction of PTX: operand 2 is uint64, and has to be one of: uint32 int32 float32
    T.ptx.mov.b32(bound, U[0])
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b32` fits no instruction of PTX: operand 1 is written, and nothing can be written to this value
    T.ptx.mov.b32(n, U[0])
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b32` fits no instruction of PTX: operand 1 is written, and nothing can be written to this value
    T.ptx.mov.b32(U[0] + U[1], U[0])
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b32` fits no instruction of PTX: operand 1 is written, and nothing can be written to this value
    T.ptx.mov.b32(U[0], T.float16(1))
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b32` fits no instruction of PTX: operand 2 is float16, and has to be one of: uint32 int32 float32
    T.ptx.mov.b32(U[0], -1)
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b32` fits no instruction of PTX: operand 2 is a negative number of Python, and becomes a uint32: write its dtype, as `T.int32(…)`
    T.ptx.mov.b64(L[0], U[0], A[1])
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b64` fits no instruction of PTX: operand 3 is float32, and belongs to one group of registers with a uint32
    T.ptx.mov.b64(L[0], U[0], 1.5)
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b64` fits no instruction of PTX: operand 3 is a float of Python, and becomes a uint32: write its dtype, as `T.float32(…)`
    T.ptx.mov.b64(L[0], U[0], T.ptx.SINK)
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b64` fits no instruction of PTX: operand 3 takes no `T.ptx.SINK`
    T.ptx.setp.lt.s32(A[0], n, n)
#!  ^^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.setp.lt.s32` fits no instruction of PTX: operand 1 has to be a uint32: it is a predicate that is written
    T.ptx.selp.b32(U[0], U[1], U[2], n)
#!  ^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.selp.b32` fits no instruction of PTX: operand 4 is a predicate: a bool, or `T.ptx.pred(…)` of a number
    T.ptx.selp.b32(U[0], U[1], T.ptx.pred(n), True)
#!  ^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.selp.b32` fits no instruction of PTX: operand 3 is no predicate: it takes no `T.ptx.pred`
    T.ptx.selp.b32(U[0], U[1], U[2], T.ptx.pred(A[0]))
#!  ^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.selp.b32` fits no instruction of PTX: operand 4 is a predicate: `T.ptx.pred` takes a bool, a uint32 or an int32
    T.ptx.ld.global_.b32(U[0], T.ptx.addr(U[0], 4))
#!  ^^^^^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.ld.global_.b32` fits no instruction of PTX: operand 2 has to be a pointer, or a uint64: an address that is not in shared memory
    T.ptx.ld.shared.b32(U[0], n)
#!  ^^^^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.ld.shared.b32` fits no instruction of PTX: operand 2 has to be a pointer, or a uint32: an address in shared memory
    T.ptx.lop3.b32(U[0], U[1], U[2], U[3], 5.0)
#!  ^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.lop3.b32` fits no instruction of PTX: operand 5 is a number in the text of the instruction: an integer
    T.ptx.mov.b32(U[0], U)
#!  ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b32` fits no instruction of PTX: operand 2 is a buffer, and has to be one of: uint32 int32 float32
    T.ptx.isspacep.global_(U[0], T.ptx.addr(U.data, 4))
#!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.isspacep.global_` fits no instruction of PTX: operand 2 takes no `T.ptx.addr`
    for i in range(4):
        T.ptx.mov.b32(i, U[i])
#!      ^^^^^^^^^^^^^ error[RLX0618]: `T.ptx.mov.b32` fits no instruction of PTX: operand 1 is written, and nothing can be written to this value
