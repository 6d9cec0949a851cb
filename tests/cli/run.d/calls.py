from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def inc(A: T.Buffer((3,), "float32"), B: T.Buffer((3,), "float32")):
        T.func_attr({"global_symbol": "other_name"})
        for k in range(3):
            B[k] = A[k] + T.float32(1)

    @R.function(pure=False)
    def direct(x: R.Tensor((3,), "float32"), y: R.Tensor((3,), "float32")):
        cls = Module
        u = cls.inc(x, y)
        return (u, y)

    @R.function(pure=False)
    def packed(x: R.Tensor((3,), "float32"), y: R.Tensor((3,), "float32")):
        u = R.call_packed("inc", x, y)
        return (u, y)

    @R.function(pure=False)
    def symbol(x: R.Tensor((3,), "float32"), y: R.Tensor((3,), "float32")):
        u = R.call_packed("other_name", x, y, sinfo_args=R.Tuple())
        return (u, y)

    @R.function(pure=False)
    def wrong(x: R.Tensor((3,), "float32"), y: R.Tensor((3,), "float32")):
        u = R.call_packed("inc", x, y, sinfo_args=R.Tensor((3,), "float32"))
        return u

    @R.function
    def dps(x: R.Tensor((3,), "float32")):
        cls = Module
        u = R.call_dps_packed("inc", x, out_sinfo=R.Tensor((3,), "float32"))
        v = R.call_dps_packed("other_name", u, out_sinfo=R.Tensor((3,), "float32"))
        return (u, v)

    @R.function(pure=False)
    def narrow(x: R.Tensor(("n",), "float32")):
        cls = Module
        u = cls.inc(x, x)
        return u

    @R.function
    def misspelt(x: R.Tensor((3,), "float32")):
        u = R.call_dps_packed("other_nam", x, out_sinfo=R.Tensor((3,), "float32"))
        return u

    @R.function
    def reshape(x: R.Tensor((4,), "float32")):
        u = R.call_pure_packed("vm.builtin.reshape", x, x, sinfo_args=R.Tensor((2, 2), "float32"))
        return u

    @R.function
    def python(x: R.Tensor((4,), "float32")):
        u = R.call_py_func("double", (x,), out_sinfo=R.Tensor((4,), "float32"))
        return u

    @T.prim_func
    def halve(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32")):
        B[0] = A[0]
        while B[0] < T.float32(1):
            B[0] = B[0] * T.float32(0.5)
