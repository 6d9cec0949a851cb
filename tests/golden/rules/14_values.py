# rlx-golden: check
# Rule 14: no PrimFunc literal or ExternFunc where a value is expected; an operator only in call position.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def copy(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i]

    @R.function
    def prim_func_bound(x: R.Tensor((4,), "float32")):
        cls = Module
        f = cls.copy
        y = R.call_tir(f, (x,), R.Tensor((4,), "float32"))
        #!             ^ error[RLX0438]: R.call_tir expects a PrimFunc of the module, found R.Callable((R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tuple, False)
        return y

    @R.function
    def prim_func_argument(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.abs(cls.copy)
        #!        ^^^^^^^^ error[RLX0301]: R.abs expects a tensor as `x`, found R.Callable((R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tuple, False)
        return y

    @R.function
    def prim_func_in_a_tuple(x: R.Tensor((4,), "float32")):
        cls = Module
        y = (x, cls.copy)
        return y

    @R.function
    def prim_func_returned(x: R.Tensor((4,), "float32")):
        cls = Module
        return cls.copy


@R.function
def extern_bound(x: R.Tensor((4,), "float32")):
    f = R.ExternFunc("f")
    return x


@R.function
def extern_argument(x: R.Tensor((4,), "float32")):
    y = R.abs(R.ExternFunc("f"))
    #!        ^^^^^^^^^^^^^^^^^ error[RLX0301]: R.abs expects a tensor as `x`, found R.Callable
    return y


@R.function
def extern_in_a_tuple(x: R.Tensor((4,), "float32")):
    y = (x, R.ExternFunc("f"))
    #!      ^^^^^^^^^^^^^^^^^ error[RLX0452]: the packed function "f" stands where a value is expected: it can only be called
    return y


@R.function
def extern_returned(x: R.Tensor((4,), "float32")):
    return R.ExternFunc("f")
    #!     ^^^^^^^^^^^^^^^^^ error[RLX0452]: the packed function "f" stands where a value is expected: it can only be called


@R.function
def op_bound(x: R.Tensor((4,), "float32")):
    f = R.abs
    return x


@R.function
def op_in_a_tuple(x: R.Tensor((4,), "float32")):
    y = (x, R.abs)
    #!      ^^^^^ error[RLX0452]: operator `R.abs` stands where a value is expected: it can only be called
    return y


@R.function
def op_argument(x: R.Tensor((4,), "float32")):
    y = R.add(x, R.abs)
    #!           ^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found an operator that is not called
    return y


@R.function
def op_returned(x: R.Tensor((4,), "float32")):
    return R.abs
    #!     ^^^^^ error[RLX0452]: operator `R.abs` stands where a value is expected: it can only be called


@R.function
def op_called_twice(x: R.Tensor((4,), "float32")):
    y = R.abs(x)(x)
    #!  ^^^^^^^^ error[RLX0428]: R.Tensor((4,), dtype="float32") can't be called
    return y


@R.function
def op_not_called(x: R.Tensor((4,), "float32")):
    R.abs
#!  ^^^^^ error[RLX0441]: the value, an operator that is not called, must be bound to a variable
    return x


@R.function
def namespace(x: R.Tensor((4,), "float32")):
    y = R.nn
    return x


@R.function
def annotation_as_value(x: R.Tensor((4,), "float32")):
    y = R.Tensor((4,), "float32")
    return x


@R.function
def string(x: R.Tensor((4,), "float32")):
    y = R.add(x, "1")
    #!           ^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the string "1"
    return y


@R.function
def dict_value(x: R.Tensor((4,), "float32")):
    y = {"a": x}
    return x


@R.function
def none(x: R.Tensor((4,), "float32")):
    y = None
    return x


@R.function
def python_function(x: R.Tensor((4,), "float32")):
    y = len(x)
    #!      ^ error[RLX0446]: Python's `len`: `argument` is R.Tensor((4,), dtype="float32"), expected a list
    return x


@R.function
def right(x: R.Tensor((4,), "float32")):
    y = R.call_dps_packed("f", (x,), R.Tensor((4,), "float32"))
    z = R.call_pure_packed("g", y, sinfo_args=R.Tensor((4,), "float32"))
    s = R.str("text")
    return z
