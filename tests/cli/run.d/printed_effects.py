# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((3,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((3,), dtype="float32"):
        R.call_packed("relax.run.print", R.str("x is {1} {0}"), x, c, sinfo_args=(R.Tuple,))
        R.call_packed("relax.run.print", R.str(""), x, c, sinfo_args=(R.Tuple,))
        R.call_packed("relax.run.assert_op", c, R.str("no {}"), x, sinfo_args=(R.Tuple,))
        return x
