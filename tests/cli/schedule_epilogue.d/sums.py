from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def shifted(X: T.Buffer((6, 5), "float32"), M: T.Buffer((6,), "float32"), Y: T.Buffer((6,), "float32")):
    R = T.sblock_alloc_buffer((6,), "float32")
    for r, c in T.grid(6, 5):
        with T.sblock("rows"):
            vr, vc = T.axis.remap("SR", [r, c])
            with T.init():
                R[vr] = T.float32(0)
            R[vr] = R[vr] + X[vr, vc]
    for r in range(6):
        with T.sblock("shift"):
            vr = T.axis.spatial(6, r)
            Y[vr] = R[vr] - M[vr]


@T.prim_func(s_tir=True)
def scaled(X: T.Buffer((6, 5), "float32"), M: T.Buffer((6,), "float32"), Y: T.Buffer((6,), "float32")):
    R = T.sblock_alloc_buffer((6,), "float32")
    for r, c in T.grid(6, 5):
        with T.sblock("rows"):
            vr, vc = T.axis.remap("SR", [r, c])
            with T.init():
                R[vr] = T.float32(0)
            R[vr] = R[vr] + X[vr, vc]
    for r in range(6):
        with T.sblock("scale"):
            vr = T.axis.spatial(6, r)
            Y[vr] = R[vr] * M[vr]


@T.prim_func(s_tir=True)
def squared(X: T.Buffer((6, 5), "float32"), Y: T.Buffer((6,), "float32")):
    R = T.sblock_alloc_buffer((6,), "float32")
    for r, c in T.grid(6, 5):
        with T.sblock("rows"):
            vr, vc = T.axis.remap("SR", [r, c])
            with T.init():
                R[vr] = T.float32(0)
            R[vr] = R[vr] + X[vr, vc]
    for r in range(6):
        with T.sblock("square"):
            vr = T.axis.spatial(6, r)
            Y[vr] = R[vr] + R[vr]
