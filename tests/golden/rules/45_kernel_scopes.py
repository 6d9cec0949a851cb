# The extents of the scopes of a kernel say something of each other; what is not verified is not told.
from tvm.script import ir as I, tirx as T


@T.prim_func(private=True)
def twice():
    T.device_entry()
    bx, by = T.cta_id([3, 4])
    by, bz = T.cta_id([4, 3])
#!  ^^ error[RLX0602]: `by` is defined in this scope already
    T.evaluate(bx + by + bz)


@T.prim_func(private=True)
def two_extents():
    T.device_entry()
    bx = T.cta_id([3])
    by = T.cta_id([4])
    #!   ^^^^^^^^^^^^^ error[RLX0614]: the number of CTAs in a kernel is 3, and 4 by the other extents
    T.evaluate(bx + by)


@T.prim_func(private=True)
def clusters():
    T.device_entry()
    c, d = T.cta_id_in_cluster([2, 2])
    bx = T.cta_id([6])
    #!   ^^^^^^^^^^^^^ error[RLX0614]: 6 CTAs in a kernel are no multiple of 4 CTAs in a cluster
    T.evaluate(bx + c + d)


@T.prim_func(private=True)
def three_say_a_fourth():
    T.device_entry()
    g = T.warpgroup_id([2])
    w = T.warp_id_in_wg([4])
    lane = T.lane_id([32])
    tx = T.thread_id([128])
    #!   ^^^^^^^^^^^^^^^^^^ error[RLX0614]: the number of threads in a CTA is 256, and 128 by the other extents
    T.evaluate(g + w + lane + tx)


@T.prim_func(private=True)
def warps():
    T.device_entry()
    w = T.warp_id()
    tx = T.thread_id([100])
    #!   ^^^^^^^^^^^^^^^^^^ error[RLX0614]: 100 threads in a CTA, which has warps, are no multiple of 32
    T.evaluate(w + tx)


@T.prim_func(private=True)
def fine(n: T.int32):
    T.device_entry()
    c, d = T.cta_id_in_cluster([2, 2])
    bx = T.cta_id([n])
    g = T.warpgroup_id([2])
    w = T.warp_id_in_wg([4])
    tx = T.thread_id([256])
    T.evaluate(bx + c + d + g + w + tx)


@T.prim_func(private=True, check_well_formed=False)
def unverified():
    T.device_entry()
    w = T.warp_id([3])
    tx = T.thread_id([100])
    T.evaluate(w + tx)


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def blocks():
        T.device_entry()
        w = T.warp_id([3])
        tx = T.thread_id([100])
        T.evaluate(w + tx)

    @T.prim_func(s_tir=True)
    def attributes(A: T.Buffer((16, 16), "int32")):
        for i, j in T.grid(2, 2):
            with T.sblock("tile"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.sblock_attr({"key": "a", "key": "b"})
                T.sblock_attr({"key": "b", "other": 1})
                T.sblock_attr({"key": "c", "other": 1})
                #!             ^^^^^ error[RLX0614]: the block has another value of "key" already
                offset = T.int32()
                stride = T.int32()
                B = T.match_buffer(A[vi * 8 : vi * 8 + 8, vj * 8 : vj * 8 + 8], elem_offset=offset, strides=[stride, 1])
                B[0, 0] = offset + stride

    @T.prim_func(private=True)
    def optional(a: T.Optional(T.handle)):
    #!              ^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: T.Optional stands in a function of T.jit only
        T.evaluate(0)
