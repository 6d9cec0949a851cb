from tvm.script import relax as R, tirx as T


@T.prim_func(s_tir=True)
def shifted(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), n: T.int64):
    for i in range(4):
        with T.sblock("B"):
            v = T.axis.spatial(4, i)
            B[v] = A[v + n]


x = R.arange(0, 4, 1, "float32")
y = R.call_tir(shifted, (x,), out_sinfo=R.Tensor((4,), "float32"), tir_vars=R.shape([0]))
y = R.add(y, y)
z = R.add(y, R.const(1.0, "float32"))
z1 = R.call_tir(shifted, (z,), out_sinfo=R.Tensor((4,), "float32"), tir_vars=R.shape([1]))
z2 = R.add(z1, z1)
