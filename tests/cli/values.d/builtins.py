from tvm.script.parser import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def addn(A: T.Buffer((4,), "float32"), n: T.int64):
        for i in range(4):
            A[i] = A[i] + T.Cast("float32", n)

    @R.function
    def ccl(x: R.Tensor((2, 4), "float32")):
        a = R.ccl.allreduce(x, "sum")
        b = R.ccl.broadcast_from_worker0(a)
        c = R.ccl.allgather(b, 2)
        d = R.ccl.scatter_from_worker0(x, 2, axis=1)
        e = R.dist.redistribute_replica_to_shard(x, 2, 0)
        return (b, c, d, e)

    @R.function
    def inspect(x: R.Tensor):
        a = x.ndim
        b = x.shape[0]
        c = x.strides[0]
        d = x.dtype.bits
        e = x.dtype.type_code
        f = x.dtype.lanes
        return (a, b, c, d, e, f)

    @R.function(pure=False)
    def dyn(x: R.Tensor((4,), "float32")):
        _ = R.vm.call_tir_dyn(Module.addn, (x, R.shape([3])))
        return x

    @R.function
    def csr(p: R.Tensor((3,), "int32"), i: R.Tensor((2,), "int32"), d: R.Tensor((2,), "float32")):
        m = R.make_csr(p, i, d)
        n = R.add(m, m)
        return n

    @R.function(pure=False)
    def ctx(x: R.Tensor((4,), "float32")):
        s = R.call_builtin_with_ctx("vm.builtin.alloc_storage", (R.shape([16]), R.prim_value(0), R.dtype("float32")), sinfo_args=[R.Object])
        t = R.call_packed("vm.builtin.alloc_tensor", s, R.prim_value(0), R.shape([2, 2]), R.dtype("float32"), sinfo_args=R.Tensor((2, 2), "float32"))
        return t

    @R.function
    def mem(x: R.Tensor((4,), "float32")):
        s = R.vm.alloc_storage(R.shape([16]), R.prim_value(0), R.dtype("float32"))
        t = R.vm.alloc_tensor(s, R.prim_value(0), R.shape([4]), R.dtype("float32"))
        return R.add(R.multiply(t, R.const(0.0, "float32")), x)

    @R.function
    def shard(x: R.Tensor((4,), "float32")):
        y = R.dist.annotate_sharding(x, "mesh[0]", "S[0]")
        return y

    I.module_global_infos({"mesh": [R.device_mesh((1,), I.Range(0, 1))]})
