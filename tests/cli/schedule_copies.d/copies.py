from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def init_cut(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 12):
        with T.sblock("b"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.where(1 <= k)
            T.reads(A[vi, vk])
            T.writes(C[vi])
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def init_late(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for u in range(1):
        with T.sblock("b"):
            T.reads(A[0:8, 4:12])
            T.writes(C[0:8])
            for i, k in T.grid(8, 8):
                with T.sblock("in"):
                    vi = T.axis.spatial(8, i)
                    vk = T.axis.reduce(12, k + 4)
                    T.reads(A[vi, vk])
                    T.writes(C[vi])
                    with T.init():
                        C[vi] = 0
                    C[vi] = C[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def init_first(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i, ko in T.grid(8, 3):
        with T.sblock("b"):
            vi, vko = T.axis.remap("SR", [i, ko])
            T.reads(A[vi, vko * 4:vko * 4 + 4])
            T.writes(C[vi])
            for ki in range(4):
                with T.sblock("in"):
                    vk = T.axis.reduce(12, vko * 4 + ki)
                    T.reads(A[vi, vk])
                    T.writes(C[vi])
                    with T.init():
                        C[vi] = 0
                    C[vi] = C[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def init_late_by_two(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i, ko in T.grid(8, 2):
        with T.sblock("b"):
            vi = T.axis.spatial(8, i)
            vko = T.axis.reduce(3, ko + 1)
            T.reads(A[vi, vko * 4:vko * 4 + 4])
            T.writes(C[vi])
            for ki in range(4):
                with T.sblock("in"):
                    vk = T.axis.reduce(12, vko * 4 + ki)
                    T.reads(A[vi, vk])
                    T.writes(C[vi])
                    with T.init():
                        C[vi] = 0
                    C[vi] = C[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def some_inside(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for u in range(1):
        with T.sblock("b"):
            T.reads(A[0:8, 0])
            T.writes(C[0:8])
            for i in range(8):
                with T.sblock("in"):
                    vi = T.axis.spatial(8, i)
                    T.where(i < 5)
                    T.reads(A[vi, 0])
                    T.writes(C[vi])
                    C[vi] = A[vi, 0]


@T.prim_func(s_tir=True)
def some_by_value(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("b"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0])
            T.writes(C[vi])
            with T.sblock("in"):
                vj = T.axis.spatial(8, vi)
                T.where(A[vi, 0] > 3)
                T.reads(A[vj, 0])
                T.writes(C[vj])
                C[vj] = A[vj, 0]


@T.prim_func(s_tir=True)
def some(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("b"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0])
            T.writes(C[vi])
            if A[vi, 0] > 3:
                C[vi] = A[vi, 0]


@T.prim_func(s_tir=True)
def while_some(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("b"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0])
            T.writes(C[vi])
            n = T.alloc_buffer((1,), "int32", scope="local")
            n[0] = 0
            while n[0] < A[vi, 0]:
                C[vi] = n[0]
                n[0] = n[0] + 1


@T.prim_func(s_tir=True)
def while_none(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("b"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:8])
            T.writes(C[vi])
            for j in range(vi):
                C[vi] = A[vi, j]


@T.prim_func(s_tir=True)
def unsaid(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for u in range(1):
        with T.sblock("b"):
            T.reads(A[0:8, 0])
            T.writes(C[0:8])
            for i in range(8):
                with T.sblock("in"):
                    vi = T.axis.spatial(8, i)
                    T.reads(A[vi, 0])
                    T.writes(C[vi])
                    C[vi] = C[vi] + A[vi, 0]


@T.prim_func(s_tir=True)
def around(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 12):
        if k > 0:
            with T.sblock("b"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(A[vi, vk])
                T.writes(C[vi])
                with T.init():
                    C[vi] = 0
                C[vi] = C[vi] + A[vi, vk]


@T.prim_func(s_tir=True)
def root(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    with T.sblock("b"):
        T.reads(A[0:8])
        T.writes(C[0:8])
        for i in range(8):
            with T.sblock("in"):
                vi = T.axis.spatial(8, i)
                C[vi] = A[vi]


@T.prim_func(s_tir=True)
def either(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("b"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi])
            T.writes(C[vi])
            if A[vi] > 3:
                C[vi] = A[vi]
            else:
                C[vi] = 0


@T.prim_func(s_tir=True)
def tile(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8, 12), "int32")):
    for i, j in T.grid(8, 3):
        with T.sblock("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj * 4:vj * 4 + 4])
            T.writes(C[vi, vj * 4:vj * 4 + 4])
            for k in range(4):
                with T.sblock("in"):
                    vk = T.axis.spatial(4, k)
                    C[vi, vj * 4 + vk] = A[vi, vj * 4 + vk]


@T.prim_func(s_tir=True)
def under(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.sblock("opaque"):
            T.reads(A[i, 0:12])
            T.writes(C[i])
            for k in range(12):
                with T.sblock("sum"):
                    vi = T.axis.spatial(8, i)
                    vk = T.axis.reduce(12, k)
                    with T.init():
                        C[vi] = 0
                    C[vi] = C[vi] + A[vi, vk]
