import tvm
from tvm.script import tir as T

LOAD = "load_rows"


@T.prim_func
def load_desc(a: T.handle, b: T.handle) -> None:
    X = T.match_buffer(a, (4, 8), "float32", offset_factor=8)
    Y = T.match_buffer(b, (4, 8), "float32", offset_factor=8)
    with T.block("root"):
        T.reads(X[0:4, 0:8])
        T.writes(Y[0:4, 0:8])
        for i, j in T.grid(4, 8):
            with T.block("update"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] * 2.0


@T.prim_func
def load_impl(a: T.handle, b: T.handle) -> None:
    s = T.var("int32")
    t = T.var("int32")
    X = T.match_buffer(a, (4, 8), "float32", offset_factor=8, strides=[s, 1])
    Y = T.match_buffer(b, (4, 8), "float32", offset_factor=8, strides=[t, 1])
    with T.block("root"):
        T.reads(X[0:4, 0:8])
        T.writes(Y[0:4, 0:8])
        for j, i in T.grid(8, 4):
            with T.block("update"):
                vj, vi = T.axis.remap("SS", [j, i])
                Y[vi, vj] = X[vi, vj] + X[vi, vj]


tvm.tir.TensorIntrin.register(LOAD, load_desc, load_impl)
tvm.tir.TensorIntrin.register("load_again", load_desc, load_impl)


@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (16, 16), "float32")
    B = T.match_buffer(b, (16, 16), "float32")
    C = T.match_buffer(c, (16, 16), "float32")
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2.0
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] * 2.0


def tiles(block, intrinsic):
    i, j = sch.get_loops(block)
    i, ki = sch.split(i, [None, 4])
    j, kj = sch.split(j, [None, 8])
    sch.reorder(i, j, ki, kj)
    return ki


if __name__ == "__main__":
    sch = tvm.tir.Schedule(main)
    sch.tensorize(tiles(sch.get_block("B"), LOAD), LOAD)
    sch.tensorize(tiles("C", LOAD), "load_again")
