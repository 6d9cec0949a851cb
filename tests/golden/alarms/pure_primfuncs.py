# A PrimFunc whose statements compute values and write nothing is pure, whatever it calls for them; what TVM's operators say has effects is not.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(s_tir=True)
    def describes(n: T.int64):
        T.Buffer((n, 8), "float16")
        T.tanh(T.float32(0.5))
        T.evaluate(T.max(n, T.int64(3)))
        T.address_of(n)

    @T.prim_func(s_tir=True)
    def names_operator(n: T.int64):
        T.evaluate(T.call_intrin("float32", "tirx.log1p", T.float32(2)))
        T.call_pure_extern("int32", "add_one", 2)

    @T.prim_func(s_tir=True)
    def calls_outside(n: T.int64):
        T.evaluate(T.max(T.call_extern("int32", "count", 2), 1))

    @T.prim_func(s_tir=True)
    def synchronises(n: T.int64):
        T.tvm_storage_sync("shared")

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        a = cls.describes(R.prim_value(1))
        #! a: R.Tuple
        b = cls.names_operator(R.prim_value(1))
        #! b: R.Tuple
        c = cls.calls_outside(R.prim_value(1))
        #!      ^^^^^^^^^^^^^ error[RLX0432]: `calls_outside` is impure (a PrimFunc writes into its arguments), and the function is declared pure
        #!     line 20: declared here
        #!     line 28: declared pure here
        #!     fix: declare the function impure
        #! c: R.Tuple
        return x

    @R.function
    def waits(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        a = cls.synchronises(R.prim_value(1))
        #!      ^^^^^^^^^^^^ error[RLX0432]: `synchronises` is impure (a PrimFunc writes into its arguments), and the function is declared pure
        #!     line 24: declared here
        #!     line 36: declared pure here
        #!     fix: declare the function impure
        #! a: R.Tuple
        return x


@T.prim_func(s_tir=True)
def spans(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Cast("float32", T.floormod(A[i], 2, None), None) + T.cast(A[i], "float32", span=None)


@T.prim_func(s_tir=True)
def too_many(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Cast("float32", A[i], None, None)
        #!     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0422]: T.Cast takes at most 2 positional arguments, 4 given
        B[i] = T.exp(B[i], None)
        #!     ^^^^^^^^^^^^^^^^^ error[RLX0422]: T.exp takes at most 1 positional argument, 2 given
        B[i] = T.Cast("float32", A[i], span=A)
        #!                             ^^^^ error[RLX0424]: T.Cast has no parameter `span`


# An effect in a value that is bound, a condition or a loop's extent is one, too.
@I.ir_module(s_tir=True)
class Effects:
    @T.prim_func(s_tir=True)
    def bound(n: T.int64):
        x = T.call_extern("int64", "tick", n)
        T.evaluate(x)

    @T.prim_func(s_tir=True)
    def condition(n: T.int64):
        if n > T.call_extern("int64", "tick", n):
            T.evaluate(n)

    @T.prim_func(s_tir=True)
    def computed(n: T.int64):
        x = T.call_pure_extern("int64", "size_of", n) + n
        T.evaluate(x)

    @R.function
    def binds(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Effects
        a = cls.computed(R.prim_value(1))
        #! a: R.Tuple
        b = cls.bound(R.prim_value(1))
        #!      ^^^^^ error[RLX0432]: `bound` is impure (a PrimFunc writes into its arguments), and the function is declared pure
        #!     line 60: declared here
        #!     line 75: declared pure here
        #!     fix: declare the function impure
        #! b: R.Tuple
        return x

    @R.function
    def decides(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Effects
        a = cls.condition(R.prim_value(1))
        #!      ^^^^^^^^^ error[RLX0432]: `condition` is impure (a PrimFunc writes into its arguments), and the function is declared pure
        #!     line 65: declared here
        #!     line 82: declared pure here
        #!     fix: declare the function impure
        #! a: R.Tuple
        return x
