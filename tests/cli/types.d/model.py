from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["n", "m"]), k: R.Prim(value="n")):
        n = T.int64()
        m = T.int64()
        a = R.reshape(x, (4, n))
        b = (a, s, R.prim_value(m + 1))
        c = R.unique(x)
        d: R.Tensor(s, "int8") = R.call_pure_packed("f", sinfo_args=R.Tensor(s, dtype="int8"))
        e = Module.main
        return b
