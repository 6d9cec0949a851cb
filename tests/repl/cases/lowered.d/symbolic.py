# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

m = TypeVar("m")
n = TypeVar("n")
@I.ir_module
class Symbolic:
    @T.prim_func(private=True, s_tir=True)
    def argsort(data_buf: T.Buffer((n, m), "float32", align=8), out_buf: T.Buffer((n, m), "int32", align=8)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("argsort_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.argsort", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(n, m), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(out_buf.data, T.tvm_stack_make_shape(n, m), 0, 2, 0, T.int64(0)), 0, T.bool(True))

    @T.prim_func(private=True, s_tir=True)
    def sort(data_buf: T.Buffer((n, m), "float32", align=8), out_buf: T.Buffer((n, m), "float32", align=8)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("sort_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.sort", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(n, m), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(out_buf.data, T.tvm_stack_make_shape(n, m), 0, 2, T.float32(0.0), T.int64(0)), 1, T.bool(False))

    @T.prim_func(private=True, s_tir=True)
    def topk(data_buf: T.Buffer((n, m), "float32", align=8), value_buf: T.Buffer((n, T.int64(2)), "float32", align=8), indices_buf: T.Buffer((n, T.int64(2)), "int64", align=8)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("topk_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.topk", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(n, m), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(value_buf.data, T.tvm_stack_make_shape(n, 2), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(indices_buf.data, T.tvm_stack_make_shape(n, 2), 0, 2, T.int64(0), T.int64(0)), 2, 1, "both", T.bool(False))

    @T.prim_func(private=True, s_tir=True)
    def topk1(data_buf: T.Buffer((n, m), "float32", align=8), indices_buf: T.Buffer((T.int64(1), m), "int32", align=8)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("topk_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.topk", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(n, m), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(indices_buf.data, T.tvm_stack_make_shape(1, m), 0, 2, 0, 0), 1, 0, "indices", T.bool(True))

    @T.prim_func(private=True, s_tir=True)
    def topk2(data_buf: T.Buffer((n, m), "float32", align=8), value_buf: T.Buffer((n, T.int64(3)), "float32", align=8)):
        T.func_attr({"tirx.noalias": True})
        with T.sblock("topk_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.topk", T.tvm_stack_make_array(data_buf.data, T.tvm_stack_make_shape(n, m), 0, 2, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(value_buf.data, T.tvm_stack_make_shape(n, 3), 0, 2, T.float32(0.0), T.int64(0)), 3, -1, "values", T.bool(False))

    @R.function
    def main(x: R.Tensor((n, m), dtype="float32")) -> R.Tuple(R.Tensor((n, m), dtype="float32"), R.Tensor((n, m), dtype="int32"), R.Tuple(R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="int64")), R.Tensor((1, m), dtype="int32"), R.Tensor((n, 3), dtype="float32")):
        cls = Symbolic
        a = R.call_tir(cls.sort, (x,), out_ty=R.Tensor((n, m), dtype="float32"))
        b = R.call_tir(cls.argsort, (x,), out_ty=R.Tensor((n, m), dtype="int32"))
        c = R.call_tir(cls.topk, (x,), out_ty=[R.Tensor((n, 2), dtype="float32"), R.Tensor((n, 2), dtype="int64")])
        d = R.call_tir(cls.topk1, (x,), out_ty=R.Tensor((1, m), dtype="int32"))
        e = R.call_tir(cls.topk2, (x,), out_ty=R.Tensor((n, 3), dtype="float32"))
        return (a, b, c, d, e)
