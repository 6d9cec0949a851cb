# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def argsort(data_buf: T.Buffer((T.int64(3), T.int64(4)), "float32", align=8), out_buf: T.Buffer((T.int64(3), T.int64(4)), "int32", align=8)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("argsort_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.argsort", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(T.int64(3), T.int64(4)), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(out_buf.data, T.tvm_stack_make_shape(T.int64(3), T.int64(4)), 0, 2, 0, T.int64(0)), 0, T.bool(True))

    @T.prim_func(private=True, s_tir=True)
    def median(data_buf: T.Buffer((T.int64(3), T.int64(4)), "float32", align=8), T_squeeze: T.Buffer((T.int64(3),), "float32"), T_squeeze_1: T.Buffer((T.int64(3),), "int64")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        T_full = T.sblock_alloc_buffer((T.int64(3), T.int64(1)), "int64")
        out_buf = T.sblock_alloc_buffer((T.int64(3), T.int64(4)), "int64", align=8)
        T_gather = T.sblock_alloc_buffer((T.int64(3), T.int64(4)))
        T_gather_1 = T.sblock_alloc_buffer((T.int64(3), T.int64(1)))
        T_gather_2 = T.sblock_alloc_buffer((T.int64(3), T.int64(1)), "int64")
        for ax0, ax1 in T.grid(T.int64(3), T.int64(1)):
            with T.sblock("T_full"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads()
                T.writes(T_full[v_ax0, v_ax1])
                T_full[v_ax0, v_ax1] = T.int64(1)
        with T.sblock("argsort_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.argsort", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(T.int64(3), T.int64(4)), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(out_buf.data, T.tvm_stack_make_shape(T.int64(3), T.int64(4)), 0, 2, T.int64(0), T.int64(0)), 1, T.bool(True))
        for ax0, ax1 in T.grid(T.int64(3), T.int64(4)):
            with T.sblock("T_gather"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(data_buf[v_ax0, out_buf[v_ax0, v_ax1]], out_buf[v_ax0, v_ax1])
                T.writes(T_gather[v_ax0, v_ax1])
                T_gather[v_ax0, v_ax1] = data_buf[v_ax0, out_buf[v_ax0, v_ax1]]
        for ax0, ax1 in T.grid(T.int64(3), T.int64(1)):
            with T.sblock("T_gather_1"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(T_gather[v_ax0, T_full[v_ax0, v_ax1]], T_full[v_ax0, v_ax1])
                T.writes(T_gather_1[v_ax0, v_ax1])
                T_gather_1[v_ax0, v_ax1] = T_gather[v_ax0, T_full[v_ax0, v_ax1]]
        for ax0 in range(T.int64(3)):
            with T.sblock("T_squeeze"):
                v_ax0 = T.axis.spatial(T.int64(3), ax0)
                T.reads(T_gather_1[v_ax0, T.int64(0)])
                T.writes(T_squeeze[v_ax0])
                T_squeeze[v_ax0] = T_gather_1[v_ax0, T.int64(0)]
        for ax0, ax1 in T.grid(T.int64(3), T.int64(1)):
            with T.sblock("T_gather_2"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(out_buf[v_ax0, T_full[v_ax0, v_ax1]], T_full[v_ax0, v_ax1])
                T.writes(T_gather_2[v_ax0, v_ax1])
                T_gather_2[v_ax0, v_ax1] = out_buf[v_ax0, T_full[v_ax0, v_ax1]]
        for ax0 in range(T.int64(3)):
            with T.sblock("T_squeeze_1"):
                v_ax0 = T.axis.spatial(T.int64(3), ax0)
                T.reads(T_gather_2[v_ax0, T.int64(0)])
                T.writes(T_squeeze_1[v_ax0])
                T_squeeze_1[v_ax0] = T_gather_2[v_ax0, T.int64(0)]

    @T.prim_func(private=True, s_tir=True)
    def sort(data_buf: T.Buffer((T.int64(3), T.int64(4)), "float32", align=8), out_buf: T.Buffer((T.int64(3), T.int64(4)), "float32", align=8)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("sort_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.sort", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(T.int64(3), T.int64(4)), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(out_buf.data, T.tvm_stack_make_shape(T.int64(3), T.int64(4)), 0, 2, T.float32(0.0), T.int64(0)), 1, T.bool(False))

    @T.prim_func(private=True, s_tir=True)
    def topk(data_buf: T.Buffer((T.int64(3), T.int64(4)), "float32", align=8), value_buf: T.Buffer((T.int64(3), T.int64(2)), "float32", align=8), indices_buf: T.Buffer((T.int64(3), T.int64(2)), "int64", align=8)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("topk_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.topk", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(T.int64(3), T.int64(4)), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(value_buf.data, T.tvm_stack_make_shape(3, 2), 0, 2, T.float32(0.0), 0), T.tvm_stack_make_array(indices_buf.data, T.tvm_stack_make_shape(3, 2), 0, 2, T.int64(0), 0), 2, 1, "both", T.bool(False))

    @T.prim_func(private=True, s_tir=True)
    def topk1(data_buf: T.Buffer((T.int64(3), T.int64(4)), "float32", align=8), indices_buf: T.Buffer((T.int64(1), T.int64(4)), "int32", align=8)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("topk_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.topk", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(T.int64(3), T.int64(4)), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(indices_buf.data, T.tvm_stack_make_shape(1, 4), 0, 2, 0, 0), 1, 0, "indices", T.bool(True))

    @R.function
    def main(x: R.Tensor((3, 4), dtype="float32")) -> R.Tuple(R.Tensor((3, 4), dtype="float32"), R.Tensor((3, 4), dtype="int32"), R.Tuple(R.Tensor((3, 2), dtype="float32"), R.Tensor((3, 2), dtype="int64")), R.Tensor((1, 4), dtype="int32"), R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((3,), dtype="int64"))):
        cls = Module
        a = R.call_tir(cls.sort, (x,), out_ty=R.Tensor((3, 4), dtype="float32"))
        b = R.call_tir(cls.argsort, (x,), out_ty=R.Tensor((3, 4), dtype="int32"))
        c = R.call_tir(cls.topk, (x,), out_ty=[R.Tensor((3, 2), dtype="float32"), R.Tensor((3, 2), dtype="int64")])
        d = R.call_tir(cls.topk1, (x,), out_ty=R.Tensor((1, 4), dtype="int32"))
        e = R.call_tir(cls.median, (x,), out_ty=[R.Tensor((3,), dtype="float32"), R.Tensor((3,), dtype="int64")])
        return (a, b, c, d, e)
