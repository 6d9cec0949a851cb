# Placements and axes that are not there: one diagnostic, and the rest goes on.
from tvm.script.parser import ir as I, relax as R


@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})

    @R.function
    def axis(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
        a = R.sum(x, axis=-4)
        #!                ^^ error[RLX0305]: R.sum: axis -4 is out of range for rank 2: expected -2 to 1
        #!     fix: change to `-2`
        #! a: R.Tensor(dtype="float32")
        b = R.sum(x, axis=[0, 0])
        #!                ^^^^^^ error[RLX0304]: R.sum: axis 0 appears more than once in `axis`
        #!     fix: change to `1`
        #! b: R.Tensor(dtype="float32")
        c = R.sum(x, axis=1)
        #! c: R.DTensor((8,), "float32", "mesh[0]", "S[0]")
        return (a, b, c)

    @R.function
    def placement(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[7]"), y: R.DTensor((8, 8), "float32", "mesh[0]", "S[2000000000]")):
    #!                                                       ^^^^^^ error[RLX0446]: R.DTensor: `placement` is the string "S[7]", expected a placement over axes that the tensor has
    #!                                                                                                           ^^^^^^^^^^^^^^^ error[RLX0446]: R.DTensor: `placement` is the string "S[2000000000]", expected a placement over axes that the tensor has
        a = R.sum(x, axis=1)
        #! a: R.DTensor((8,), "float32", "mesh[0]", "R")
        b = R.sum(y, axis=0)
        #! b: R.DTensor((8,), "float32", "mesh[0]", "R")
        c = R.permute_dims(y)
        #! c: R.DTensor((8, 8), "float32", "mesh[0]", "R")
        d = R.add(x, y)
        #! d: R.DTensor((8, 8), "float32", "mesh[0]", "R")
        e = R.matmul(x, y)
        #! e: R.DTensor((8, 8), "float32", "mesh[0]", "R")
        return (a, b, c, d, e)
