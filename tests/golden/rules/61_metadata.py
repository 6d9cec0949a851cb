# Constants whose data TVM prints beside the module: shapes and dtypes are those of the tensors.
from tvm.script import ir as I
from tvm.script import relax as R

metadata = tvm.ir.load_json("""{
  \"root_index\": 6,
  \"nodes\": [
    {\"type\": \"ffi.String\", \"data\": \"relax.expr.Constant\"},
    {\"type\": \"None\"},
    {\"type\": \"ffi.Tensor\", \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQACAAAAAAAAAAMAAAAAAAAAGAAAAAAAAAAAAAAAAACAPwAAAEAAAEBAAACAQAAAoEA=\"},
    {\"type\": \"relax.expr.Constant\", \"data\": {\"span\": 1, \"struct_info_\": 1, \"data\": 2}},
    {\"type\": \"relax.expr.Constant\", \"data\": {\"span\": 1, \"struct_info_\": 1, \"data\": 1}},
    {\"type\": \"ffi.Array\", \"data\": [3, 4]},
    {\"type\": \"ffi.Map\", \"data\": [0, 5]}
  ],
  \"metadata\": {\"tvm_version\": \"0.25.0\"}
}""")


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 2), dtype="float32")):
        a = R.matmul(x, metadata["relax.expr.Constant"][0])
        #! a: R.Tensor((4, 3), dtype="float32")
        b = R.add(a, metadata["relax.expr.Constant"][1])
        #! b: R.Tensor
        c = R.add(b, metadata["relax.expr.Constant"][2])
        #! c: R.Tensor
        d = R.add(x, metadata["relax.expr.Constant"][0])
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.add: shapes (4, 2) and (2, 3) can't be broadcast: dimension 1 is 2, dimension 1 of the other is 3
        #!     line 23: `x` is R.Tensor((4, 2), dtype="float32")
        #! d: R.Tensor(dtype="float32", ndim=2)
        return c
