# Functions that 0.25 and 0.27 read: what one of the two accepts is no mistake, wherever else the file is of 0.27.
from tvm.script.parser import ir as I, relax as R, tirx as T


@T.prim_func
def new(a: T.int32) -> T.int32:
    return a + 1


@T.prim_func(s_tir=True)
def part_as_vector(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(4):
        A[i * 16 : i * 16 + 16] = B[i * 16 : i * 16 + 16] + T.broadcast(T.float32(1), 16)


@T.prim_func(s_tir=True)
def variable(A: T.Buffer((64,), "int32")):
    n = T.Var("n", ty="int32")
    for i in range(n):
        A[i] = 1
#!      ^^^^^^^^ hint[RLX0627]: it depends on lengths: for n = 65, A[64] is written at i = 64, outside of its shape (64,)


# An allocation's offset has a factor where it is given; strings name layouts of Trainium's memory, and no others.
@T.prim_func(s_tir=True)
def offsets(c: T.handle):
    C = T.match_buffer(c, [128])
    A = T.sblock_alloc_buffer([128], elem_offset=0, offset_factor=1)
    B = T.sblock_alloc_buffer([128], offset_factor=4)
    #!                                             ^ error[RLX0614]: memory that is made here has no offset for a factor to divide
    for i in range(128):
        with T.sblock("s"):
            vi = T.axis.spatial(128, i)
            C[vi] = A[vi] + B[vi]
            #!      ^^^^^ warning[RLX0621]: A[0] is read at i = 0, and nothing has written it before
            #!              ^^^^^ warning[RLX0621]: B[0] is read at i = 0, and nothing has written it before


@T.prim_func
def layouts():
    T.device_entry()
    a = T.alloc_buffer((128, 8192), "float16", scope="trn.sbuf", layout="PF")
    b = T.alloc_buffer((128, 8192), "float16", scope="shared", layout="PF")
    #!                                                                ^^^^ error[RLX0614]: a string, expected a layout


# What T.Ramp asks A.vload for is a vector; names of CUDA's own begin with underscores.
@T.prim_func(s_tir=True)
def ramps(b: T.handle):
    B = T.match_buffer(b, [4])
    A = T.alloc_buffer((4,))
    B[0:4] = A.vload([T.Ramp(0, 1, 4)], predicate=T.Broadcast(T.bool(True), 4))
    B[0:4] = A.vload([0])
    #!       ^^^^^^^^^^^^ error[RLX0614]: an expression of float32, expected a vector of as many elements
    #!       ^^^^^^^^^^^^ warning[RLX0621]: A[0] is read, and nothing has written it before
    T.evaluate(T.cuda.__activemask())


# R.dist.call_tir is R.call_tir, of distributed tensors.
@I.ir_module(s_tir=True)
class Distributed:
    I.module_attrs({"device_num": 4})
    I.module_global_infos({"mesh": [R.dist.device_mesh([4], I.Range(0, 4))]})

    @R.function
    def main(A: R.dist.DTensor((8, 4), "float32", "mesh[0]", "S[0]")):
        cls = Distributed
        B = R.dist.call_tir(cls.twice, A, R.dist.DTensor((8, 4), "float32", "mesh[0]", "S[0]"))
        #! B: R.DTensor((8, 4), "float32", "mesh[0]", "S[0]")
        return B

    @T.prim_func(private=True, s_tir=True)
    def twice(A: T.Buffer((T.int64(8), T.int64(4)), "float32"), B: T.Buffer((T.int64(8), T.int64(4)), "float32")):
        for i, j in T.grid(8, 4):
            with T.sblock("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
