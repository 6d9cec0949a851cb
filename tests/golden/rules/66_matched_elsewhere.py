# A function that is called in a PrimFunc may match the buffer whose shape gives a variable its value.
from helpers import declare
from tvm.script import tirx as T


def match(var, rows, width):
    return T.match_buffer(var, (rows, width), "float32")


@T.inline
def fill(var, rows):
    buffer = T.match_buffer(var, (rows,), "float32")
    buffer[0] = T.float32(1)


@T.prim_func(s_tir=True)
def by_python(a: T.handle, b: T.handle):
    n = T.int32(is_size_var=True)
    A = T.match_buffer(a, (n + 1,), "float32")
    B = match(b, n, 4)
    A[n] = B[0, 0]


@T.prim_func(s_tir=True)
def by_another_module(a: T.handle, b: T.handle):
    n = T.int32(is_size_var=True)
    A = T.match_buffer(a, (n + 1,), "float32")
    B = declare(b, shape=[n])
    A[n] = B[0]


@T.prim_func(s_tir=True)
def inline(a: T.handle, b: T.handle):
    n = T.int32(is_size_var=True)
    A = T.match_buffer(a, (n + 1,), "float32")
    fill(b, n)
    A[n] = T.float32(1)


@T.prim_func(s_tir=True)
def by_nobody(a: T.handle, b: T.handle):
    n, m = T.int32(is_size_var=True), T.int32(is_size_var=True)
    A = T.match_buffer(a, (n + 1,), "float32")
    #!                     ^^^^^ error[RLX0614]: this variable never gets a value: no buffer's shape names it
    B = match(b, m, 4)
    A[m] = B[0, 0]
