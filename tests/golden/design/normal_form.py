# The examples of "Normal Form of SeqExpr" (tlc-pack/relax, 2022), own text, in that document's spellings.
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def tir_f0(a: T.handle, b: T.handle, c: T.handle):
        n = T.var("int64")
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n,), "float32")
        C = T.match_buffer(c, (n,), "float32")
        for i in T.serial(n):
            with T.block("add"):
                vi = T.axis.spatial(n, i)
                C[vi] = A[vi] + B[vi]

    # A call may not stand in the result: the value returned is a leaf. The script may write it: normalisation binds it.
    @R.function
    def call_in_result(x: R.Tensor[(n,), "f32"]):
        return R.exp(x)
        #! gv: R.Tensor((n,), dtype="float32")

    # Call and TupleGetItem must be bound, leaves may be arguments.
    @R.function
    def nested(x: R.Tensor[(n,), "f32"]):
        y = R.add(R.exp(x), (x, x)[0])
        #!        ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((n,), dtype="float32")
        #! y: R.Tensor((n,), dtype="float32")
        return y

    # The tuple of a call_tir may be bound to a variable in the document; TVM 0.25 wants it written in the call (the page on
    # StructInfo: deduced as meant, one error with the fix).
    @R.function
    def main_tuple_bound(x: R.Tensor[(n,), "f32"], y: R.Tensor[(n,), "f32"]):
        lv0 = (x, y)
        #! lv0: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32"))
        lv1 = R.call_tir(tir_f0, lv0, (n,), dtype="float32")
        #!                       ^^^ error[RLX0330]: R.call_tir: `args` must be written as a tuple in the call
        #!     fix: write the fields
        #! lv1: R.Tensor((n,), dtype="float32")
        return lv1

    @R.function
    def main_no_tuple_bound(x: R.Tensor[(n,), "f32"], y: R.Tensor[(n,), "f32"]):
        lv1 = R.call_tir(tir_f0, (x, y), (n,), dtype="float32")
        #! lv1: R.Tensor((n,), dtype="float32")
        return lv1

    # A tuple that is a call's result has no literal: its parts are taken first.
    @R.function
    def pair(x: R.Tensor[(n,), "f32"]) -> R.Tuple[R.Tensor[(n,), "f32"], R.Tensor[(n,), "f32"]]:
        return (x, x)

    @R.function
    def after(x: R.Tensor[(n,), "f32"]):
        t = pair(x)
        #! t: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32"))
        v0 = t[0]
        #! v0: R.Tensor((n,), dtype="float32")
        v1 = t[1]
        #! v1: R.Tensor((n,), dtype="float32")
        gv = R.call_tir(tir_f0, (v0, v1), (n,), dtype="float32")
        #! gv: R.Tensor((n,), dtype="float32")
        return gv
