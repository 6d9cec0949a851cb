# Until 0.20 the graph of a module's constants was written otherwise: keys of maps apart, numbers as texts, tensors beside it.
# A constant that is not there may have any shape and dtype.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T

metadata = tvm.ir.load_json("""{
  \"root\": 1,
  \"nodes\": [
    {\"type_key\": \"\"},
    {\"type_key\": \"Map\", \"keys\": [\"relax.expr.Constant\"], \"data\": [2]},
    {\"type_key\": \"Array\", \"data\": [4, 3, 5, 6]},
    {\"type_key\": \"relax.expr.Constant\", \"attrs\": {\"_checked_type_\": \"0\", \"data\": \"1\", \"span\": \"0\", \"struct_info_\": \"0\"}},
    {\"type_key\": \"relax.expr.Constant\", \"attrs\": {\"_checked_type_\": \"0\", \"data\": \"0\", \"span\": \"0\", \"struct_info_\": \"0\"}},
    {\"type_key\": \"relax.expr.Constant\", \"attrs\": {\"_checked_type_\": \"0\", \"data\": \"2\", \"span\": \"0\", \"struct_info_\": \"0\"}},
    {\"type_key\": \"relax.expr.Constant\", \"attrs\": {\"_checked_type_\": \"0\", \"data\": \"-1\", \"span\": \"0\", \"struct_info_\": \"0\"}}
  ],
  \"b64ndarrays\": [
    \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQACAAAAAAAAAAMAAAAAAAAAGAAAAAAAAAAAAAAAAACAPwAAAEAAAEBAAACAQAAAoEA=\",
    \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAAIAQACAAAAAAAAAAIAAAAAAAAABAU=\"
  ],
  \"attrs\": {\"tvm_version\": \"0.17.dev0\"}
}""")


@I.ir_module
class Module:
    @T.prim_func
    def twice(A: T.Buffer((2, 3), "float32"), B: T.Buffer((2, 3), "float32")):
        for i, j in T.grid(2, 3):
            with T.block("twice"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4, 2), dtype="float32"), z: R.Tensor((3,), dtype="int8")):
        cls = Module
        a = R.matmul(x, metadata["relax.expr.Constant"][0])
        #! a: R.Tensor((4, 3), dtype="float32")
        b = R.quantize(a, metadata["relax.expr.Constant"][2], metadata["relax.expr.Constant"][1], out_dtype="int8", axis=1)
        #! b: R.Tensor((4, 3), dtype="int8")
        c = R.call_tir(cls.twice, (metadata["relax.expr.Constant"][0],), out_sinfo=R.Tensor((2, 3), dtype="float32"))
        #! c: R.Tensor((2, 3), dtype="float32")
        d = R.call_tir(cls.twice, (metadata["relax.expr.Constant"][1],), out_sinfo=R.Tensor((2, 3), dtype="float32"))
        #!                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0440]: input 0 of `twice` is R.Tensor((2,), dtype="int8"), expected R.Tensor((2, 3), dtype="float32"): the dtype is int8, expected float32
        #!     line 29: this parameter of the PrimFunc
        #! d: R.Tensor((2, 3), dtype="float32")
        e = R.call_tir(cls.twice, (metadata["relax.expr.Constant"][2],), out_sinfo=R.Tensor((2, 3), dtype="float32"))
        #! e: R.Tensor((2, 3), dtype="float32")
        w = metadata["relax.expr.Constant"][3]
        #! w: R.Tensor
        f = R.call_tir(cls.twice, (w,), out_sinfo=R.Tensor((2, 3), dtype="float32"))
        #! f: R.Tensor((2, 3), dtype="float32")
        g = R.quantize(a, w, z, out_dtype="int8", axis=1)
        #! g: R.Tensor((4, 3), dtype="int8")
        return (a, b, c, d, e, f, g)
