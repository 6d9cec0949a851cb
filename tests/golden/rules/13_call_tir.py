# rlx-golden: check
# Rule 13: call_tir's callee is a PrimFunc of the module, its arguments an inline tuple, outputs agree with the buffers.
from tvm.script import ir as I, relax as R, tirx as T


@T.prim_func
def outside(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i]


@I.ir_module
class Module:
    @T.prim_func
    def copy(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i]

    @T.prim_func
    def grow(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n + 1,), "float32")
        for i in range(n):
            B[i] = A[i]

    @R.function
    def relax(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function
    def callee_is_relax(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.relax, (x,), R.Tensor((4,), "float32"))
        #!             ^^^^^^^^^ error[RLX0438]: R.call_tir expects a PrimFunc of the module, found R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
        return y

    @R.function
    def callee_is_a_string(x: R.Tensor((4,), "float32")):
        y = R.call_tir("copy", (x,), R.Tensor((4,), "float32"))
        #!             ^^^^^^ error[RLX0438]: R.call_tir expects a PrimFunc of the module, found the packed function "copy"
        #!     fix: call the function of the module
        return y

    @R.function
    def callee_is_a_string_of_no_sibling(x: R.Tensor((4,), "float32")):
        y = R.call_tir("elsewhere", (x,), R.Tensor((4,), "float32"))
        #!             ^^^^^^^^^^^ error[RLX0438]: R.call_tir expects a PrimFunc of the module, found the packed function "elsewhere"
        #!     fix: call a packed function
        return y

    @R.function
    def callee_is_a_tensor(x: R.Tensor((4,), "float32")):
        y = R.call_tir(x, (x,), R.Tensor((4,), "float32"))
        #!             ^ error[RLX0438]: R.call_tir expects a PrimFunc of the module, found R.Tensor((4,), dtype="float32")
        return y

    @R.function
    def callee_is_bare(x: R.Tensor((4,), "float32")):
        y = R.call_tir(copy, (x,), R.Tensor((4,), "float32"))
        #!             ^^^^ error[RLX0204]: function `copy` of the module is written `Module.copy`, or `cls.copy` after `cls = Module`
        #!     fix: refer to it through the module
        return y

    @R.function
    def tuple_variable(x: R.Tensor((4,), "float32")):
        cls = Module
        t = (x,)
        y = R.call_tir(cls.copy, t, R.Tensor((4,), "float32"))
        #!                       ^ error[RLX0330]: R.call_tir: `args` must be written as a tuple in the call
        #!     fix: write the fields
        return y

    @R.function
    def tuple_of_a_call(x: R.Tensor((8,), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, R.split(x, 2), R.Tensor((4,), "float32"))
        #!                       ^^^^^^^^^^^^^ error[RLX0330]: R.call_tir: `args` must be written as a tuple in the call
        #!                       ^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        return y

    @R.function
    def too_many(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, (x, x), R.Tensor((4,), "float32"))
        #!                       ^^^^^^ error[RLX0439]: `copy` has 2 parameters, this call gives 3 (inputs: 2, outputs: 1)
        #!     line 15: the PrimFunc
        return y

    @R.function
    def too_many_outputs(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, (x,), [R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        #!                       ^^^^ error[RLX0439]: `copy` has 2 parameters, this call gives 3 (inputs: 1, outputs: 2)
        #!     line 15: the PrimFunc
        return y

    @R.function
    def input_dtype(x: R.Tensor((4,), "int32")):
        cls = Module
        y = R.call_tir(cls.copy, (x,), R.Tensor((4,), "float32"))
        #!                        ^ error[RLX0440]: input 0 of `copy` is R.Tensor((4,), dtype="int32"), expected R.Tensor((4,), dtype="float32"): the dtype is int32, expected float32
        #!     line 15: this parameter of the PrimFunc
        return y

    @R.function
    def input_dimension(x: R.Tensor((5,), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, (x,), R.Tensor((4,), "float32"))
        #!                        ^ error[RLX0440]: input 0 of `copy` is R.Tensor((5,), dtype="float32"), expected R.Tensor((4,), dtype="float32"): dimension 0 is 5, expected 4
        #!     line 15: this parameter of the PrimFunc
        #!     fix: declare dimension 0 of `x` as 4
        return y

    @R.function
    def input_rank(x: R.Tensor((4, 1), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, (x,), R.Tensor((4,), "float32"))
        #!                        ^ error[RLX0440]: input 0 of `copy` is R.Tensor((4, 1), dtype="float32"), expected R.Tensor((4,), dtype="float32"): the number of dimensions is 2, expected 1
        #!     line 15: this parameter of the PrimFunc
        return y

    @R.function
    def output_dtype(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, (x,), R.Tensor((4,), "float16"))
        #!                             ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0440]: output 0 of `copy` is R.Tensor((4,), dtype="float16"), expected R.Tensor((4,), dtype="float32"): the dtype is float16, expected float32
        #!     line 15: this parameter of the PrimFunc
        #!     fix: state what the PrimFunc gives
        return y

    @R.function
    def output_dimension(x: R.Tensor(("m",), "float32")):
        cls = Module
        m = T.int64()
        y = R.call_tir(cls.grow, (x,), R.Tensor((m,), "float32"))
        #!                             ^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0440]: output 0 of `grow` is R.Tensor((m,), dtype="float32"), expected R.Tensor((n + 1,), dtype="float32"): dimension 0 is m, expected m + 1, the callee's n + 1 (2 against 3 for m = 2)
        #!     line 20: this parameter of the PrimFunc
        #!     line 110: the callee's `n` is m, dimension 0 of this argument
        return y

    @R.function
    def output_unknown(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, (x,), R.Tensor(ndim=1, dtype="float32"))
        #!                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0327]: R.call_tir: `out_sinfo` must be tensors with written-out shapes, found R.Tensor(dtype="float32", ndim=1)
        return y

    @R.function
    def output_missing(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.copy, (x,))
        #!    ^^^^^^^^ error[RLX0423]: R.call_tir: argument `out_sinfo` is missing
        #!     fix: state what the PrimFunc gives
        return y

    @R.function
    def from_outside(x: R.Tensor((4,), "float32")):
        y = R.call_tir(outside, (x,), R.Tensor((4,), "float32"))
        #!             ^^^^^^^ error[RLX0452]: the PrimFunc `outside`, which belongs to no module, stands where a value is expected: it can only be called
        return y

    @R.function
    def called_directly(x: R.Tensor((4,), "float32")):
        cls = Module
        y = cls.copy(x)
        #!      ^^^^ error[RLX0426]: `copy` takes 2 arguments, 1 given; `R.call_tir` allocates a PrimFunc's outputs
        #!     line 15: declared here
        #!     fix: call it with `R.call_tir`
        return y

    @R.function
    def right(x: R.Tensor((4,), "float32"), s: R.Tensor(("m",), "float32")):
        cls = Module
        m = T.int64()
        a = R.call_tir(cls.copy, (x,), R.Tensor((4,), "float32"))
        b = R.call_tir(cls.copy, a, R.Tensor((4,), "float32"))
        c = R.call_tir(cls.grow, (s,), R.Tensor((m + 1,), "float32"))
        return (b, c)
