# A name that a class assigns is one of its functions; decorators in classes; devices of meshes and placements on them.
from tvm.script.parser import ir as I, relax as R, tirx as T
import tvm


@I.ir_module
class Assigned:
    outside = R.ExternFunc("first")
    other = R.ExternFunc("first")
    outside = R.ExternFunc("second")
#!  ^^^^^^^ error[RLX0213]: module `Assigned` has a function `outside` already
    #!     line 8: the first one
    kept = R.ExternFunc("third")

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        return x

    @R.function
    def kept(x: R.Tensor((2, 3), "float32")):
    #!  ^^^^ error[RLX0213]: module `Assigned` has a function `kept` already
    #!     line 11: the first one
        return x

    main = R.ExternFunc("main")
#!  ^^^^ error[RLX0213]: module `Assigned` has a function `main` already
    #!     line 14: the first one
    number = R.ExternFunc("number")
    number = 3
#!  ^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class


@I.ir_module
class MacroOfFunction:
    @R.macro
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        return x

    @R.function
    def other(x: R.Tensor((2, 3), "float32")):
        return x


@I.ir_module
class ModuleOfFunction:
    @tvm.script.ir_module
#!   ^^^^^^^^^^^^^^^^^^^^ error[RLX0454]: `@I.ir_module` decorates classes, and this is a function
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        return x


@I.ir_module
class MacroAlone:
    @T.macro
#!   ^^^^^^^ error[RLX0454]: `@T.macro` is given what `@R.function` below made, and decorates no such thing
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        return x


@I.ir_module
class Meshes:
    I.module_global_infos(
        {
            "right": [R.device_mesh((2, 2), I.Range(4)), R.device_mesh((3,), I.Range(2, 5))],
            "more": [R.device_mesh((2, 2), I.Range(0, 5))],
            #!                             ^^^^^^^^^^^^^ error[RLX0446]: R.device_mesh: `device_ids` is 5 devices, expected 4, one for each place of the shape
        }
    )

    @R.function
    def whole(x: R.DTensor((4, 4), "float16"), y: R.DTensor((4, 4), "float16", "right[1]", "R")):
        return (x, y)

    @R.function
    def placed(x: R.DTensor((4, 4), "float16", "right[1]")):
    #!                                         ^^^^^^^^^^ error[RLX0423]: R.DTensor: argument `placement` is missing
        return x

    @R.function
    def nowhere(x: R.DTensor((4, 4), "float16", placement="S[1]")):
    #!                                                    ^^^^^^ error[RLX0423]: R.DTensor: argument `device_mesh` is missing
        return x


@I.ir_module
class Fewer:
    I.module_global_infos({"fewer": [R.device_mesh((3,), I.Range(7, 8))]})
    #!                                                   ^^^^^^^^^^^^^ error[RLX0446]: R.device_mesh: `device_ids` is 1 device, expected 3, one for each place of the shape

    @R.function
    def main(x: R.DTensor((4, 4), "float16", "fewer[0]", "R")):
        return x
