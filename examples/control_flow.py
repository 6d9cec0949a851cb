# Branches and recursion. There are no loops in Relax: a function calls itself.
#
# The StructInfo of an `if` is what both branches have in common: hover over `y` in `either`, where one branch
# gives (n, 2) and the other (n, 3): only ndim=2 is left.
#
#   rlx run examples/control_flow.py::power 'x=[1.0,2.0,3.0]' k=3
#   rlx run examples/control_flow.py::relu_or_neg 'cond=true' 'x=[1.0,-2.0]'
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def relu_or_neg(
        cond: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")
    ) -> R.Tensor(("n",), "float32"):
        if cond:
            y = R.nn.relu(x)
        else:
            y = R.negative(x)
        return y

    @R.function
    def either(
        cond: R.Tensor((), "bool"),
        a: R.Tensor(("n", 2), "float32"),
        b: R.Tensor(("n", 3), "float32"),
    ) -> R.Tensor(dtype="float32", ndim=2):
        if cond:
            y = R.exp(a)
        else:
            y = R.exp(b)
        return y

    @R.function
    def power(
        x: R.Tensor(("n",), "float32"), k: R.Tensor((), "int64")
    ) -> R.Tensor(("n",), "float32"):
        # x to the power of k, by recursion.
        cls = Module
        done = R.less_equal(k, R.const(0, "int64"))
        if done:
            result = R.ones_like(x)
        else:
            smaller = R.subtract(k, R.const(1, "int64"))
            rest = cls.power(x, smaller)
            result = R.multiply(x, rest)
        return result

    @R.function
    def cube(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        cls = Module
        gv = cls.power(x, R.const(3, "int64"))
        return gv
