# Meshes that a module lists, and distributed tensors beside others.
from tvm.script.parser import ir as I, relax as R


@I.ir_module
class Module:
    I.module_global_infos({"line": [R.device_mesh((4,), I.Range(4))], "grid": [R.device_mesh((2, 2), I.Range(4)), R.device_mesh((3, 1), [0, 1, 2])]})

    @R.function
    def right(x: R.DTensor((8, 8), "float32", "grid[1]", "S[0], R")):
        return x

    @R.function
    def no_list(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
    #!                                          ^^^^^^^^^ error[RLX0446]: R.DTensor: `device_mesh` is the string "mesh[0]", expected a mesh that the module lists
        return x

    @R.function
    def beyond(x: R.DTensor((8, 8), "float32", "line[1]", "S[0]")):
    #!                                         ^^^^^^^^^ error[RLX0446]: R.DTensor: `device_mesh` is the string "line[1]", expected a mesh that the module lists
        return x

    @R.function
    def too_few(x: R.DTensor((8, 8), "float32", "grid[0]", "R")):
    #!                                                     ^^^ error[RLX0446]: R.DTensor: `placement` is the string "R", expected 2 places, one for each axis of the mesh
        return x

    @R.function
    def too_many(x: R.DTensor((8, 8), "float32", "line[0]", "R, S[1]")):
    #!                                                      ^^^^^^^^^ error[RLX0446]: R.DTensor: `placement` is the string "R, S[1]", expected 1 place, one for each axis of the mesh
        return x

    @R.function
    def annotated(x: R.Tensor((8, 8), "float32")):
        y = R.dist.annotate_sharding(x, "line[7]", "S[0]")
        #!                              ^^^^^^^^^ error[RLX0301]: R.dist.annotate_sharding expects a mesh that the module lists as `device_mesh`, found the string "line[7]"
        #! y: R.Tensor((8, 8), dtype="float32")
        return y

    @R.function
    def apart(x: R.DTensor((8, 4), "float32", "line[0]", "S[0]"), w: R.DTensor((4, 6), "float32", "line[0]", "R")):
        a: R.DTensor((8, 6), "float32", "line[0]", "R") = R.matmul(x, w)
        #! a: R.DTensor((8, 6), "float32", "line[0]", "R")   (deduced R.DTensor((8, 6), "float32", "line[0]", "S[0]"))
        b: R.DTensor((8, 7), "float32", "line[0]", "S[0]") = R.matmul(x, w)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.DTensor((8, 7), "float32", "line[0]", "S[0]"), but the value is R.DTensor((8, 6), "float32", "line[0]", "S[0]"): dimension 1 is 6, expected 7
        #!     line 37: the value is the result of R.matmul
        #!     line 35: `x` is R.DTensor((8, 4), "float32", "line[0]", "S[0]")
        #!     line 35: `w` is R.DTensor((4, 6), "float32", "line[0]", "R")
        #!     fix: annotate what is deduced
        #! b: R.DTensor((8, 7), "float32", "line[0]", "S[0]")   (deduced R.DTensor((8, 6), "float32", "line[0]", "S[0]"))
        c: R.Tensor((8, 6), "float32") = R.matmul(x, w)
        #! ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Tensor((8, 6), dtype="float32"), but the value is R.DTensor((8, 6), "float32", "line[0]", "S[0]"): R.DTensor((8, 6), "float32", "line[0]", "S[0]") is not R.Tensor((8, 6), dtype="float32")
        #!     line 38: the value is the result of R.matmul
        #!     line 35: `x` is R.DTensor((8, 4), "float32", "line[0]", "S[0]")
        #!     line 35: `w` is R.DTensor((4, 6), "float32", "line[0]", "R")
        #!     fix: annotate what is deduced
        #! c: R.Tensor((8, 6), dtype="float32")   (deduced R.DTensor((8, 6), "float32", "line[0]", "S[0]"))
        return a


@R.function
def alone(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")):
#!                                        ^^^^^^^^^ error[RLX0446]: R.DTensor: `device_mesh` is the string "mesh[0]", expected a mesh that the module lists
    return x


@I.ir_module
class Wrong:
    I.module_global_infos({"line": [R.device_mesh((4,), I.Range(4), 1)]})
    #!                                                              ^ error[RLX0422]: R.device_mesh takes at most 2 positional arguments, 3 given

    @R.function
    def main(x: R.Tensor((8, 8), "float32")):
        return x
